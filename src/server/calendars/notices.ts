import type { Deps } from '../kernel/deps.ts'
import type { CalendarNotice } from './presenter.ts'

/** What the board says of calendars. */
export function calendarNotices(_deps: Deps): CalendarNotice[] {
  return []
}
