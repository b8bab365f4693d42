import { statusBadge } from '../../../domain/application-status.ts'
import { Badge } from '../../ui/badge.tsx'

/** An application's status; the dashboard words a draft differently from the details. */
export function ApplicationStatusBadge({
  status,
  screen,
}: {
  status: string
  screen: 'dashboard' | 'details'
}) {
  const { label, tone } = statusBadge(status, screen)
  return <Badge tone={tone}>{label}</Badge>
}
