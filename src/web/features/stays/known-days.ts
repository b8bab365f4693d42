import type { CalendarDate } from '../../../domain/dates.ts'
import { api } from '../../api/api.ts'
import { availabilityWindow } from './availability-window.ts'
import { unavailableReasons } from './stay-days.ts'

/** What the server told about the days around the viewed months (YYYY-MM); earlier months stay known. */
export function useKnownDays(today: CalendarDate, months: readonly string[]) {
  const windows = api.useQueries(t => months.map(month => t.availability.range(availabilityWindow(month))))
  const reasons = unavailableReasons(windows.flatMap(window => window.data?.availability ?? []))
  const known = months.map(availabilityWindow).filter((_, index) => windows[index]?.data !== undefined)
  return {
    reasons,
    isFree: (day: CalendarDate) =>
      day >= today &&
      !reasons.has(day) &&
      known.some(({ startDate, endDate }) => startDate <= day && day <= endDate),
    isLoading: windows.some(window => window.isPending),
    hasFailed: windows.some(window => window.isError && window.data === undefined),
    retry: () => {
      for (const window of windows) if (window.isError) void window.refetch()
    },
  }
}
