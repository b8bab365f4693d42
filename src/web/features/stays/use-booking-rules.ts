import { arrivalErrors, findBrokenRules } from '../../../domain/bookings/booking-rules.ts'
import { type CalendarDate, isCalendarDate } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { useToday } from './today.ts'

type Stay = { start: string; end: string; people?: number }

/** The booking rules. No rules apply until they are loaded: the server checks every request anyway. */
export function useBookingRules() {
  const today = useToday()
  const { data, isPending } = api.bookings.rules.useQuery()
  const rules = data?.rules
  const rates = api.rates.list.useQuery(undefined, { enabled: rules?.stayLength === true }).data?.rates ?? []
  return {
    isLoading: isPending,
    maxGuests: rules?.maxGuests ?? undefined,
    /** The rules that a stay breaks; past dates have a separate error. */
    brokenRules: ({ start, end, people }: Stay) => {
      if (!rules) return []
      const isArrival = isCalendarDate(start) && start >= today
      const isDeparture = isArrival && isCalendarDate(end) && end > start
      const stay = { ...(isArrival && { start }), ...(isDeparture && { end }), people }
      return findBrokenRules(rules, stay, today, rates)
    },
    /** Why a day cannot be the arrival; undefined if no rule is about arrivals. */
    arrivalError:
      rules && (rules.leadDays ?? rules.windowDays ?? rules.arrivalWeekdays) !== null
        ? (day: CalendarDate) => arrivalErrors(rules, day, today)[0]
        : undefined,
  }
}
