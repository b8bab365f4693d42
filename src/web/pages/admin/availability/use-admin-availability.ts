import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CalendarDate } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { availabilityWindow } from '../../../features/stays/availability-window.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'

/**
 * The days around the viewed month. While another date range loads, the previous data is kept, so that the calendar
 * does not go blank; `loaded` is the date range of the data.
 */
export function useAdminAvailability(month: string) {
  const window = availabilityWindow(month)
  const query = api.availability.adminRange.useQuery(window, { placeholderData: keepPreviousData })

  const [loaded, setLoaded] = useState(window)
  const isCurrent = query.data !== undefined && !query.isPlaceholderData
  if (isCurrent && loaded.startDate !== window.startDate) setLoaded(window)

  const { isError, error, errorUpdatedAt } = query
  useEffect(() => {
    if (isError && errorUpdatedAt > 0) toastFailure(error, 'Failed to load availability')
  }, [isError, error, errorUpdatedAt])

  return { query, loaded }
}

type Selection = {
  dates: ReadonlySet<CalendarDate>
  /** The day that was chosen last, where a range can begin. */
  start?: CalendarDate | undefined
  /** Whether the next day that is chosen ends the range. */
  awaitsEnd?: boolean
}

/** The selected days, including those in months that are not in view (LOOK-71). */
export function useDateSelection() {
  const [selection, setSelection] = useState<Selection>({ dates: new Set() })
  const { dates, start } = selection
  return {
    ...selection,
    toggle: (date: CalendarDate) => {
      const next = new Set(dates)
      if (next.delete(date)) setSelection({ dates: next })
      else setSelection({ dates: next.add(date), start: date })
    },
    add: (more: readonly CalendarDate[]) => setSelection({ dates: new Set([...dates, ...more]) }),
    replace: (chosen: Iterable<CalendarDate>) => setSelection({ dates: new Set(chosen) }),
    awaitEnd: (awaitsEnd: boolean) => setSelection({ dates, start, awaitsEnd }),
    clear: () => setSelection({ dates: new Set() }),
  }
}
