import type { CalendarDate } from '../../../../domain/dates.ts'
import { api, refusalOr } from '../../../api/api.ts'
import { isSessionExpired } from '../../../session/session.tsx'
import { toast } from '../../../ui/toasts.tsx'

/** The owner's changes of days; each answers whether it was made, after its words were shown. */
export function useChanges() {
  const utils = api.useUtils()
  const setDate = api.availability.setDate.useMutation()
  const setDates = api.availability.setDates.useMutation()

  const attempt = async (work: Promise<unknown>, done: string) => {
    try {
      await work
    } catch (error) {
      if (!isSessionExpired(error)) toast.error(refusalOr(error, 'Failed to update availability'))
      return false
    }
    toast.success(done)
    void utils.availability.invalidate()
    return true
  }

  return {
    setDate: (date: CalendarDate, isAvailable: boolean) =>
      attempt(
        setDate.mutateAsync({ date, isAvailable, reason: reasons[`${isAvailable}`] }),
        `Date ${date} updated to ${inWords(isAvailable)}`,
      ),
    setDates: (dates: readonly CalendarDate[], isAvailable: boolean, reason: string) =>
      attempt(
        setDates.mutateAsync({
          dates: dates.toSorted(),
          isAvailable,
          reason: reason.trim() || reasons[`${isAvailable}`],
        }),
        `Updated ${dates.length} dates to ${inWords(isAvailable)}`,
      ),
    isUpdating: setDates.isPending,
  }
}

const inWords = (isAvailable: boolean) => (isAvailable ? 'available' : 'unavailable')
const reasons = { true: 'Available', false: 'Unavailable' }
