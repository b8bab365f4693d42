import type { CalendarDate } from '../../../../domain/common/dates.ts'
import { api } from '../../../api/api.ts'
import { refusalOr } from '../../../api/failures.ts'
import { isSessionExpired } from '../../../session/session.tsx'
import { toast } from '../../../ui/toast.ts'

/** Opens or blocks days. After showing a toast, each update resolves to whether it succeeded. */
export function useAvailabilityUpdates() {
  const utils = api.useUtils()
  const setDate = api.availability.setDate.useMutation()
  const setDates = api.availability.setDates.useMutation()

  const withToast = async (update: Promise<unknown>, successText: string) => {
    try {
      await update
    } catch (error) {
      if (!isSessionExpired(error)) toast.error(refusalOr(error, 'Failed to update availability'))
      return false
    }
    toast.success(successText)
    void utils.availability.invalidate()
    return true
  }

  return {
    setDate: (date: CalendarDate, isAvailable: boolean) =>
      withToast(
        setDate.mutateAsync({ date, isAvailable, reason: labelOf(isAvailable) }),
        `Date ${date} updated to ${labelOf(isAvailable).toLowerCase()}`,
      ),
    setDates: (dates: readonly CalendarDate[], isAvailable: boolean, reason: string) =>
      withToast(
        setDates.mutateAsync({
          dates: dates.toSorted(),
          isAvailable,
          reason: reason.trim() || labelOf(isAvailable),
        }),
        `Updated ${dates.length} dates to ${labelOf(isAvailable).toLowerCase()}`,
      ),
    isUpdating: setDates.isPending,
  }
}

const labelOf = (isAvailable: boolean) => (isAvailable ? 'Available' : 'Unavailable')
