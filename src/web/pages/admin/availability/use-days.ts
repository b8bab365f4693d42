import { keepPreviousData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../api/api.ts'
import { availabilityWindow } from '../../../features/stays/availability-window.ts'
import { toastFailure } from '../../../forms/failure-toast.ts'

/**
 * The days around the viewed month (AVAIL-16). While the next window loads, the last one stays, so that stepping does
 * not blank the calendar; `loaded` is what is known for sure.
 */
export function useDays(month: string) {
  const window = availabilityWindow(month)
  const query = api.availability.adminRange.useQuery(window, { placeholderData: keepPreviousData })

  const [loaded, setLoaded] = useState(window)
  const isOwn = query.data !== undefined && !query.isPlaceholderData
  if (isOwn && loaded.startDate !== window.startDate) setLoaded(window)

  const { isError, error, errorUpdatedAt } = query
  useEffect(() => {
    const failed = 'Failed to load availability'
    if (isError && errorUpdatedAt > 0) toastFailure(error, { failed, threw: failed })
  }, [isError, error, errorUpdatedAt])

  return { query, loaded }
}
