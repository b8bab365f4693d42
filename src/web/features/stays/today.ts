import { type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { useSite } from '../../api/site.ts'

/** Today's date at the property; in the browser's time zone until the site data is loaded. */
export function useToday(): CalendarDate {
  const site = useSite()
  return site?.today ?? dateIn(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** The property's time zone, in which times are shown. */
export function useTimeZone(): string {
  return useSite()?.timeZone ?? 'UTC'
}

/** The day at the property, for rules that compare it with moments. */
export const useDay = () => ({ today: useToday(), timeZone: useTimeZone() })
