import { addDays, type CalendarDate, type DateRange } from '../common/dates.ts'
import { type CalendarEvent, expandRange, type ReadEvent } from './calendar-event.ts'

/** How long an event stays an echo after its nights were last found in an export (CAL-48). */
const echoEndsAfterMs = 24 * 3_600_000
/** A reading before a booking counts for it if it is at most this old (CAL-40). */
const readBeforeMs = 2 * 60_000

/** An export for a platform, with or without a feed, as the platform last fetched it. */
export type PlatformExport = ExportedNights & {
  /** Null for one without a feed: who fetched it is not known. */
  lastFetchedAt: string | null
}

/** `bookedAt` is when the site's own booking took these nights; missing for others. */
type ExportedEvent = DateRange & { changedAt: string; bookedAt?: string | undefined }

type ExportedNights = {
  /** For each night, when the event that takes it last changed. */
  nights: ReadonlyMap<CalendarDate, string>
  /** When the nights of bookings were booked. */
  booked: ReadonlyMap<CalendarDate, string>
  /** The first days and the ends of its events. */
  starts: ReadonlySet<CalendarDate>
  ends: ReadonlySet<CalendarDate>
}

/** The nights of an export: those of its events plus the turnover nights on both sides. */
export function exportedNights(events: ExportedEvent[], turnoverNights = 0): ExportedNights {
  const nights = new Map<CalendarDate, string>()
  const booked = new Map<CalendarDate, string>()
  const [starts, ends] = [new Set<CalendarDate>(), new Set<CalendarDate>()]
  // Many events may take the same night, and computing a date takes much longer than looking it up.
  const following = new Map<CalendarDate, CalendarDate>()
  const after = (night: CalendarDate) => {
    const next = following.get(night) ?? addDays(night, 1)
    following.set(night, next)
    return next
  }
  for (const { bookedAt, changedAt, ...range } of events) {
    const { end, start } = expandRange(range, turnoverNights)
    starts.add(start)
    ends.add(end)
    for (let night = start; night < end; night = after(night)) {
      // If two events take a night, the platform knew about it since the earlier one.
      const other = nights.get(night)
      if (other !== undefined && changedAt >= other) continue
      nights.set(night, changedAt)
      if (bookedAt === undefined) booked.delete(night)
      else booked.set(night, bookedAt)
    }
  }
  return { nights, booked, starts, ends }
}

/** Whether one of the feed's exports contains all nights of a range from today on, fetched or not (CAL-48). */
export function isExported(range: DateRange, exports: PlatformExport[], today: CalendarDate): boolean {
  return exports.some(({ nights }) => isEveryNight(range, today, night => nights.has(night)))
}

/**
 * Whether a new or moved event is the site's own nights coming back from the platform (CAL-47). A platform may join or
 * cut what it fetched, but nights from the middle alone were sold by it.
 * @param read does not say what it is on most platforms: then it may have been sold before the site's booking, unless the
 * feed was read since, or just before, and did not contain it
 * @param readAt the last good reading without these nights; null if there was none
 */
export function isEcho(
  read: ReadEvent,
  exports: PlatformExport[],
  { readAt, today }: { readAt: string | null; today: CalendarDate },
): boolean {
  const { kind, ...range } = read
  if (kind === 'reservation') return false
  const provenUntil = readAt === null ? '' : new Date(Date.parse(readAt) + readBeforeMs).toISOString()
  const isProven = (bookedAt = '') => kind === 'block' || bookedAt <= provenUntil
  return exports.some(
    ({ booked, ends, lastFetchedAt, nights, starts }) =>
      lastFetchedAt !== null &&
      (starts.has(range.start) || ends.has(range.end)) &&
      isEveryNight(range, today, night => {
        const changedAt = nights.get(night)
        return changedAt !== undefined && changedAt <= lastFetchedAt && isProven(booked.get(night))
      }),
  )
}

/**
 * Whether an echo starts to block its nights, because for a day they have not all been exported (CAL-48). An echo
 * missing from its feed is about to end: blocking its nights would export them to the other platforms again.
 */
export function shouldEndEcho(
  event: CalendarEvent,
  exports: PlatformExport[],
  now: Date,
  today: CalendarDate,
): boolean {
  if (!event.echo || event.endedAt !== null || event.missingSince !== null) return false
  if (isExported(event, exports, today)) return false
  // A timestamp in the far future means that the clock was set back, so its true age is unknown.
  return event.coveredAt === null || Math.abs(now.getTime() - Date.parse(event.coveredAt)) >= echoEndsAfterMs
}

/** Ignores past nights, because exports contain only events that end after today. */
function isEveryNight(
  { end, start }: DateRange,
  today: CalendarDate,
  test: (night: CalendarDate) => boolean,
): boolean {
  for (let night = start < today ? today : start; night < end; night = addDays(night, 1))
    if (!test(night)) return false
  return true
}
