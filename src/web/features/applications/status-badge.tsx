import { statusLabel } from '../../../domain/bookings/application-status.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

type Screen = 'dashboard' | 'details'

/** An application's status as a badge; lists and details show drafts and pending applications differently. */
export function ApplicationStatusBadge({ status, screen }: { status: string; screen: Screen }) {
  return <Badge tone={statusTone(status, screen)}>{statusLabel(status, screen)}</Badge>
}

export function statusTone(status: string, screen: Screen): BadgeTone {
  if (status === 'pending') return screen === 'details' ? 'blue' : 'green'
  return tones[status] ?? 'neutral'
}

const tones: Record<string, BadgeTone> = { approved: 'green', rejected: 'red', completed: 'blue' }
