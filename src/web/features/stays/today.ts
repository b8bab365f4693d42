import { type CalendarDate, dateIn } from '../../../domain/dates.ts'
import { useSite } from '../../api/site.ts'

/** Today at the property; until the server said so, today where the browser is. */
export function useToday(): CalendarDate {
  const site = useSite()
  return site?.today ?? dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** The property's time zone, in which moments are shown. */
export function useTimeZone(): string {
  return useSite()?.timeZone ?? 'UTC'
}
