import type { Outputs } from '../../api/api.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'

export type InstalmentState = Outputs['plans']['show']['instalments'][number]['state']

export const instalmentStateLabels: Record<InstalmentState, string> = {
  upcoming: 'Upcoming',
  partly: 'Partly paid',
  due: 'Due today',
  overdue: 'Overdue',
  on_its_way: 'On its way',
  paid: 'Paid',
  waived: 'Waived',
}

const tones: Record<InstalmentState, BadgeTone> = {
  upcoming: 'neutral',
  partly: 'blue',
  due: 'yellow',
  overdue: 'red',
  on_its_way: 'blue',
  paid: 'green',
  waived: 'neutral',
}

export function InstalmentBadge({ state }: { state: InstalmentState }) {
  return <Badge tone={tones[state]}>{instalmentStateLabels[state]}</Badge>
}
