import { statusLabel } from '../../../domain/application-status.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

type Screen = 'dashboard' | 'details'

/** An application's status in words; lists and details show a draft and a pending one differently. */
export function ApplicationStatusBadge({ status, screen }: { status: string; screen: Screen }) {
  return <Badge tone={statusTone(status, screen)}>{statusLabel(status, screen)}</Badge>
}

export function statusTone(status: string, screen: Screen): BadgeTone {
  if (status === 'pending') return screen === 'details' ? 'blue' : 'green'
  return tones[status] ?? 'neutral'
}

const tones: Record<string, BadgeTone> = { approved: 'green', rejected: 'red', completed: 'blue' }
