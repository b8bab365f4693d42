import { type CalendarEvent, type EventKind, widened } from './calendar-event.ts'
import { addDays, type CalendarDate, type DateRange } from './dates.ts'

/** How long an echo stays one after its nights were last found among those we give out (CAL-48). */
const echoEndsAfterMs = 24 * 3_600_000

/** A platform export for a feed, or for none, as its reader got it: what it holds, and when it was fetched last. */
export type PlatformExport = {
  lastFetchedAt: string | null
  /** By night, when the event that takes it was last changed. */
  nights: ReadonlyMap<CalendarDate, string>
}

/** An export's nights, of its events with turnover nights on both sides. */
export function exportedNights(
  events: (DateRange & { changedAt: string })[],
  turnoverNights = 0,
): Map<CalendarDate, string> {
  const nights = new Map<CalendarDate, string>()
  for (const { changedAt, ...range } of events) {
    const { end, start } = widened(range, turnoverNights)
    for (let night = start; night < end; night = addDays(night, 1)) {
      // Where two events hold a night, the reader knew it since the earlier one.
      const other = nights.get(night)
      if (other === undefined || changedAt < other) nights.set(night, changedAt)
    }
  }
  return nights
}

/** Whether one of a feed's exports holds all nights of a range from today on, fetched or not (CAL-48). */
export function isExported(range: DateRange, exports: PlatformExport[], today: CalendarDate): boolean {
  return exports.some(({ nights }) => isEveryNight(range, today, night => nights.has(night)))
}

/** Whether a new or moved event is our own nights coming back from the platform (CAL-47). */
export function isEcho(
  range: DateRange,
  kind: EventKind,
  exports: PlatformExport[],
  today: CalendarDate,
): boolean {
  if (kind === 'reservation') return false
  return exports.some(({ lastFetchedAt, nights }) =>
    isEveryNight(range, today, night => {
      const changedAt = nights.get(night)
      return lastFetchedAt !== null && changedAt !== undefined && changedAt <= lastFetchedAt
    }),
  )
}

/**
 * Whether an echo takes its nights from now on: they are no longer all exported, for a day (CAL-48). One that is missing
 * from its feed is about to end: taking its nights would send it round the other platforms once more.
 */
export function echoEnds(
  event: CalendarEvent,
  exports: PlatformExport[],
  now: Date,
  today: CalendarDate,
): boolean {
  if (!event.echo || event.endedAt !== null || event.missingSince !== null) return false
  if (isExported(event, exports, today)) return false
  // A moment in the far future means that the clock was set back: its true age is unknown.
  return event.coveredAt === null || Math.abs(now.getTime() - Date.parse(event.coveredAt)) >= echoEndsAfterMs
}

/** Nights that are past do not count: exports hold only what ends after today. */
function isEveryNight(
  { end, start }: DateRange,
  today: CalendarDate,
  test: (night: CalendarDate) => boolean,
): boolean {
  for (let night = start < today ? today : start; night < end; night = addDays(night, 1))
    if (!test(night)) return false
  return true
}
