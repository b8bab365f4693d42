import { addDays, type CalendarDate, type DateRange, formatShortDate } from './dates.ts'

/** Three years; more is a typo. */
export const maxStayNights = 1096

/** The reason shown for a booked night. */
export const bookedReason = 'Booked'
/** The reason shown for a night that is kept for somebody by a clock. */
export const heldReason = 'Held'
/** The reason shown for a night that is kept free between bookings. */
export const turnoverReason = 'Turnover'

/** Groups consecutive nights into half-open stays, sorted, without duplicates. */
export function toDateRanges(nights: readonly CalendarDate[]): DateRange[] {
  const runs: DateRange[] = []
  for (const night of [...new Set(nights)].sort()) {
    const last = runs.at(-1)
    if (last?.end === night) last.end = addDays(night, 1)
    else runs.push({ start: night, end: addDays(night, 1) })
  }
  return runs
}

/** Such as `Jun 1, 2026 to Jun 30, 2026`, from arrival to departure. */
export function formatStay({ start, end }: DateRange): string {
  return `${formatShortDate(start)} to ${formatShortDate(end)}`
}

/** The dates of a stay in short form: `Jun 1 – Jun 30, 2026`. */
export function formatShortStay({ start, end }: DateRange): string {
  const [from, to] = [formatShortDate(start), formatShortDate(end)]
  return `${start.slice(0, 4) === end.slice(0, 4) ? from.slice(0, from.indexOf(',')) : from} – ${to}`
}

/** The stay of an application: the lease's dates if there is a lease, else the requested dates. */
export function stayOf(application: {
  requestedStartDate: CalendarDate
  requestedEndDate: CalendarDate
  leaseStartDate: CalendarDate | null
  leaseEndDate: CalendarDate | null
}): DateRange {
  return {
    start: application.leaseStartDate ?? application.requestedStartDate,
    end: application.leaseEndDate ?? application.requestedEndDate,
  }
}

/** Whether a day is before, during or after a stay; arrival and departure count as during. */
export function stayPhase({ start, end }: DateRange, today: CalendarDate): 'before' | 'during' | 'after' {
  if (today < start) return 'before'
  return today > end ? 'after' : 'during'
}

/** At most six ranges of nights: `Jun 3, 2026, Jun 7, 2026 to Jun 9, 2026`. */
export function formatNights(nights: readonly CalendarDate[]): string {
  const runs = toDateRanges(nights)
  const shown = runs.slice(0, 6).map(({ start, end }) => {
    const last = addDays(end, -1)
    return last === start ? formatShortDate(start) : formatStay({ start, end: last })
  })
  return shown.join(', ') + (runs.length > shown.length ? ' and more' : '')
}

/** The error for an application for booked or blocked nights. */
export function unavailableMessage(nights: readonly CalendarDate[]): string {
  return `These dates are no longer available: ${formatNights(nights)}`
}
