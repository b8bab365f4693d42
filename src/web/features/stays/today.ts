import { type CalendarDate, dateIn } from '../../../domain/dates.ts'
import { useSite } from '../../api/site.ts'

/** Today at the property; in the browser's time zone until the server has said it. */
export function useToday(): CalendarDate {
  const site = useSite()
  return site?.today ?? dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** The property's time zone, in which moments are shown. */
export function useTimeZone(): string {
  return useSite()?.timeZone ?? 'UTC'
}
