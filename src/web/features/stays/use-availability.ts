import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { availabilityWindow } from './availability-window.ts'

/**
 * The month in view (YYYY-MM) and the availability around it. Data for other months is kept, so that a stay can span
 * all of them. `firstMonth` is undefined until the server's date is known. `opening` is the month to show instead, if it
 * is known at the first render: a later change would make React discard a server-rendered calendar.
 */
export function useAvailability(firstMonth: string | undefined, opening?: () => string | undefined) {
  const [visited, setVisited] = useState<string[]>(() => [opening?.()].filter(month => month !== undefined))
  const months = firstMonth ? [...new Set([firstMonth, ...visited])] : []
  const utils = api.useUtils()
  const windows = useQueries({
    queries: months.map(month => utils.availability.range.queryOptions(availabilityWindow(month))),
  })
  const loaded = months.map(availabilityWindow).filter((_, index) => windows[index]?.data !== undefined)
  return {
    month: visited.at(-1) ?? firstMonth ?? '',
    /** Whether another month was shown. */
    hasMoved: visited.length > 0,
    showMonth: (next: string) => setVisited(before => [...before.filter(month => month !== next), next]),
    entries: windows.flatMap(window => window.data?.availability ?? []),
    isKnown: (day: CalendarDate) =>
      loaded.some(({ startDate, endDate }) => startDate <= day && day <= endDate),
    knownUntil: loaded
      .map(({ endDate }) => endDate)
      .sort()
      .at(-1),
    isLoading: windows.some(window => window.isPending),
    hasFailed: windows.some(window => window.isError && window.data === undefined),
    retry: () => {
      for (const window of windows) if (window.isError) void window.refetch()
    },
  }
}
