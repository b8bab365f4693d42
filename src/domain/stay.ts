import { addDays, type CalendarDate, type DateRange, formatShortDate } from './dates.ts'

/** Why a night cannot be had that an application takes. */
export const bookedReason = 'Booked'

/** Nights in a row as half-open stays, sorted; a night given twice counts once. */
function nightRuns(nights: readonly CalendarDate[]): DateRange[] {
  const runs: DateRange[] = []
  for (const night of [...new Set(nights)].sort()) {
    const last = runs.at(-1)
    if (last?.end === night) last.end = addDays(night, 1)
    else runs.push({ start: night, end: addDays(night, 1) })
  }
  return runs
}

/** A stay for people: `Jun 1, 2026 to Jun 30, 2026`, from arrival to departure. */
export function formatStay({ start, end }: DateRange): string {
  return `${formatShortDate(start)} to ${formatShortDate(end)}`
}

/** Where a day lies to a stay: the days of arrival and of departure belong to it. */
export function stayPhase({ start, end }: DateRange, today: CalendarDate): 'before' | 'during' | 'after' {
  if (today < start) return 'before'
  return today > end ? 'after' : 'during'
}

/** Nights for people, runs as `first to last night`, at most six of them: `Jun 3, 2026, Jun 7, 2026 to Jun 9, 2026`. */
export function formatNights(nights: readonly CalendarDate[]): string {
  const runs = nightRuns(nights)
  const shown = runs.slice(0, 6).map(({ start, end }) => {
    const last = addDays(end, -1)
    return last === start ? formatShortDate(start) : formatStay({ start, end: last })
  })
  return shown.join(', ') + (runs.length > shown.length ? ' and more' : '')
}

/** What somebody reads who applies for nights that are booked or blocked. */
export function unavailableMessage(nights: readonly CalendarDate[]): string {
  return `These dates are no longer available: ${formatNights(nights)}`
}
