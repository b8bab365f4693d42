import { blocksNights, type CalendarEvent, sharedNights, takenNights } from './calendar-event.ts'
import type { CalendarDate, DateRange } from './dates.ts'

/** A booked application's nights, as compared with the calendar. */
export type BookedNights = DateRange & { applicationId: string }
/** Two bookings that share nights. `start` and `end` are the first shared range, half-open, from today on. */
export type DoubleBooking = DateRange & {
  eventId: string
  applicationId: string | null
  otherEventId: string | null
}

/**
 * Double bookings from today on: events that overlap booked applications, and overlapping reservations of different
 * feeds (CAL-42, CAL-43).
 */
export function doubleBookings(
  events: CalendarEvent[],
  booked: BookedNights[],
  today: CalendarDate,
): DoubleBooking[] {
  const counting = events
    .filter(event => blocksNights(event) && event.kind !== 'block')
    .flatMap(event => {
      const nights = takenNights(event, today)
      return nights ? [{ ...event, ...nights }] : []
    })
    .sort((a, b) => compare(a.start, b.start))
  const stays = [...booked].sort((a, b) => compare(a.start, b.start))
  const reservations = counting.filter(({ kind }) => kind === 'reservation')
  return [
    ...counting.flatMap(event =>
      beginningBefore(stays, 0, event.end).flatMap(stay =>
        pair(event, stay, { eventId: event.id, applicationId: stay.applicationId, otherEventId: null }),
      ),
    ),
    ...reservations.flatMap((event, at) =>
      beginningBefore(reservations, at + 1, event.end)
        .filter(other => other.feedId !== event.feedId)
        .flatMap(other => pair(event, other, { ...inOrder(event.id, other.id), applicationId: null })),
    ),
  ]
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** From ranges sorted by start, returns those at or after an index that begin before a day. The rest share no night. */
function beginningBefore<Range extends DateRange>(ranges: Range[], from: number, day: CalendarDate): Range[] {
  let to = from
  while ((ranges[to]?.start ?? day) < day) to++
  return ranges.slice(from, to)
}

/** Sorts the two ids, so that a pair is the same in either order. */
const inOrder = (one: string, other: string) =>
  one < other ? { eventId: one, otherEventId: other } : { eventId: other, otherEventId: one }

function pair(
  nights: DateRange,
  other: DateRange,
  ids: Omit<DoubleBooking, 'start' | 'end'>,
): DoubleBooking[] {
  const shared = sharedNights(nights, other)
  return shared ? [{ ...ids, ...shared }] : []
}

/** Identifies the pair of a double booking, so that it is reported only once (CAL-42). */
export const doubleBookingKey = (pair: Omit<DoubleBooking, 'start' | 'end'>): string =>
  `${pair.eventId} ${pair.applicationId ?? ''} ${pair.otherEventId ?? ''}`

/**
 * Compares the stored conflicts with today's double bookings.
 * @returns `added`: new pairs; `back`: resolved ones that overlap again; `gone`: no longer overlapping (CAL-44)
 */
export function diffConflicts<
  Stored extends Omit<DoubleBooking, 'start' | 'end'> & { resolvedAt: string | null },
>(stored: Stored[], found: DoubleBooking[]): { added: DoubleBooking[]; back: Stored[]; gone: Stored[] } {
  const known = new Set(stored.map(doubleBookingKey))
  const standing = new Set(found.map(doubleBookingKey))
  return {
    added: found.filter(pair => !known.has(doubleBookingKey(pair))),
    back: stored.filter(pair => pair.resolvedAt !== null && standing.has(doubleBookingKey(pair))),
    gone: stored.filter(pair => pair.resolvedAt === null && !standing.has(doubleBookingKey(pair))),
  }
}
