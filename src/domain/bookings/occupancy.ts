import { addMonths, type CalendarDate, type DateRange, datesInRange, nightsBetween } from '../common/dates.ts'

/** How the nights of a month or year were used. */
export type Occupancy = {
  nights: number
  booked: number
  /** Booked on other platforms. */
  elsewhere: number
  /** Blocked by the owner, without a booking. */
  blocked: number
  open: number
  /** Of the open nights those booked here or elsewhere, to one decimal. */
  percent: number
  arrivals: number
}

/**
 * The nights of a year by month, January first, and of the year. A night counts once: as booked, else as taken
 * elsewhere, else as blocked; a held one is open.
 */
export function occupancyOf(
  year: number,
  nights: {
    bookings: readonly DateRange[]
    elsewhere: readonly DateRange[]
    blocked: readonly CalendarDate[]
  },
): { months: (Occupancy & { month: number })[]; year: Occupancy } {
  const within: DateRange = { start: `${year}-01-01`, end: `${year + 1}-01-01` }
  const booked = nightsIn(nights.bookings, within)
  const others = [...nightsIn(nights.elsewhere, within)]
  const elsewhere = new Set(others.filter(night => !booked.has(night)))
  const blocked = new Set(nights.blocked.filter(night => !booked.has(night) && !elsewhere.has(night)))
  // What another platform calls a stay that is booked here is no second arrival.
  const arrivals = [
    ...nights.bookings.map(({ start }) => start),
    ...new Set(nights.elsewhere.map(({ start }) => start).filter(start => elsewhere.has(start))),
  ]
  const used = ({ end, start }: DateRange): Occupancy => {
    const count = (dates: Iterable<CalendarDate>) =>
      [...dates].filter(date => start <= date && date < end).length
    const all = nightsBetween(start, end)
    const counts = { booked: count(booked), elsewhere: count(elsewhere), blocked: count(blocked) }
    const open = all - counts.blocked
    const taken = counts.booked + counts.elsewhere
    return {
      nights: all,
      ...counts,
      open,
      percent: open === 0 ? 0 : Math.round((1000 * taken) / open) / 10,
      arrivals: count(arrivals),
    }
  }
  const months = Array.from({ length: 12 }, (_, i) => {
    const start = addMonths(within.start, i)
    return { month: i + 1, ...used({ start, end: addMonths(start, 1) }) }
  })
  return { months, year: used(within) }
}

const nightsIn = (ranges: readonly DateRange[], { end, start }: DateRange): Set<CalendarDate> =>
  new Set(
    ranges.flatMap(range =>
      datesInRange({
        start: range.start > start ? range.start : start,
        end: range.end < end ? range.end : end,
      }),
    ),
  )
