import { type LeaseState, leaseStateLabels } from '../../../domain/lease.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

const tones: Record<LeaseState, BadgeTone> = { not_started: 'neutral', available: 'blue', signed: 'green' }

/** How far the lease is, in the words of the lease page. */
export function LeaseStateBadge({ state }: { state: LeaseState }) {
  return <Badge tone={tones[state]}>{leaseStateLabels[state]}</Badge>
}
