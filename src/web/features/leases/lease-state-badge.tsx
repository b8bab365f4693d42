import { type LeaseState, leaseStateLabels } from '../../../domain/leases/lease.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

const tones: Record<LeaseState, BadgeTone> = { not_started: 'neutral', available: 'blue', signed: 'green' }

export function LeaseStateBadge({ state }: { state: LeaseState }) {
  return <Badge tone={tones[state]}>{leaseStateLabels[state]}</Badge>
}
