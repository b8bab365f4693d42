import { compare } from '../common/compare.ts'
import type { CalendarDate, DateRange } from '../common/dates.ts'
import {
  blocksNights,
  type CalendarEvent,
  type EventKind,
  overlapCounts,
  sharedNights,
  takenNights,
} from './calendar-event.ts'

/**
 * How many double bookings with stays are stored and shown of each feed, and among feeds, that the owner has not
 * acknowledged (FIX-26).
 */
export const maxOpenConflicts = 50
/** How many acknowledged ones are stored: booking onto imported nights by override acknowledges each pair. */
export const maxAcknowledgedConflicts = 500

/** An event that takes nights and can be booked twice, with its nights from today on. */
export type TakingEvent = DateRange & { id: string; feedId: string; kind: EventKind }
/** A booked application's nights, or those that a claim holds, as compared with the calendar. */
export type BookedNights = DateRange & StayId
type StayId = { applicationId: string | null; claimId?: string | null | undefined }
/** The sides of a double booking: an event, and an application, a claim or another feed's event. */
export type ConflictPair = StayId & { eventId: string; otherEventId: string | null }
/** Two bookings that share nights. `start` and `end` are the first shared range, half-open, from today on. */
export type DoubleBooking = DateRange & ConflictPair

/** The events that can be booked twice, with their nights from today on: no blocks (CAL-42). */
export function takingEvents(
  events: readonly (TakingEvent & Pick<CalendarEvent, 'echo' | 'releasedAt' | 'endedAt'>)[],
  today: CalendarDate,
): TakingEvent[] {
  return events.flatMap(event => {
    const nights = blocksNights(event) && event.kind !== 'block' ? takenNights(event, today) : null
    return nights ? [{ id: event.id, feedId: event.feedId, kind: event.kind, ...nights }] : []
  })
}

/**
 * Double bookings: events that overlap booked applications, and overlapping reservations of different feeds, by their
 * first shared night (CAL-42, CAL-43). Computed one by one as they are needed, because there may be millions.
 */
export function* doubleBookings(
  events: readonly TakingEvent[],
  booked: readonly BookedNights[],
): Generator<DoubleBooking> {
  const [withStays, amongFeeds] = [stayPairs(events, booked), reservationPairs(events)]
  let [stay, reservation] = [withStays.next(), amongFeeds.next()]
  while (!stay.done || !reservation.done) {
    if (!stay.done && (reservation.done || stay.value.start <= reservation.value.start)) {
      yield stay.value
      stay = withStays.next()
    } else if (!reservation.done) {
      yield reservation.value
      reservation = amongFeeds.next()
    }
  }
}

/** The double bookings with applications, by their first shared night. */
export function* stayPairs(
  events: readonly TakingEvent[],
  booked: readonly BookedNights[],
): Generator<DoubleBooking> {
  for (const [one, other] of meetings(sidesOf(events, booked))) {
    const [event, { stay, ...nights }] = one.group === 'event' ? [one, other] : [other, one]
    if (stay) yield* pair(event, nights, { eventId: event.id, ...stay, otherEventId: null })
  }
}

function* reservationPairs(events: readonly TakingEvent[]): Generator<DoubleBooking> {
  for (const [one, other] of meetings(reservationsOf(events)))
    yield* pair(one, other, { ...inOrder(one.id, other.id), applicationId: null })
}

/** How many double bookings there are, without computing each. */
export function countDoubleBookings(events: readonly TakingEvent[], booked: readonly BookedNights[]): number {
  return countMeetings(sidesOf(events, booked)) + countMeetings(reservationsOf(events))
}

/** The double booking of a stored pair, if it still shares nights (CAL-44). */
export function standingPair(
  { applicationId, claimId, eventId, otherEventId }: ConflictPair,
  events: ReadonlyMap<string, TakingEvent>,
  booked: ReadonlyMap<string, BookedNights>,
): DoubleBooking | null {
  const event = events.get(eventId)
  if (!event) return null
  const stay = booked.get(applicationId ?? claimId ?? '')
  const other = otherEventId === null ? undefined : events.get(otherEventId)
  const isPair = other && other.kind === 'reservation' && event.kind === 'reservation'
  const second = stay ?? (isPair && other.feedId !== event.feedId ? other : undefined)
  return (second && pair(event, second, { applicationId, claimId, eventId, otherEventId })[0]) ?? null
}

/** Identifies the pair of a double booking, so that it is reported only once (CAL-42). */
export const doubleBookingKey = (pair: ConflictPair): string =>
  `${pair.eventId} ${pair.applicationId ?? pair.claimId ?? ''} ${pair.otherEventId ?? ''}`

/** A range that meets ranges of other groups. */
type Side = DateRange & { id: string; group: string; stay?: StayId }

const sidesOf = (events: readonly TakingEvent[], booked: readonly BookedNights[]): Side[] => [
  ...events.map(({ end, id, start }) => ({ id, start, end, group: 'event' })),
  ...booked.map(({ applicationId, claimId, end, start }) => ({
    id: applicationId ?? claimId ?? '',
    start,
    end,
    group: 'stay',
    stay: { applicationId, claimId },
  })),
]

const reservationsOf = (events: readonly TakingEvent[]): Side[] =>
  events
    .filter(({ kind }) => kind === 'reservation')
    .map(({ end, feedId, id, start }) => ({ id, start, end, group: feedId }))

/** Walks the nights, and yields each two ranges of different groups that share one. Each step yields or drops a range. */
function* meetings(sides: Side[]): Generator<[Side, Side]> {
  const present = new Map<string, Side[]>()
  for (const side of sides.sort((a, b) => compare(a.start, b.start))) {
    for (const [group, others] of present) {
      if (group === side.group) continue
      const staying: Side[] = []
      for (const other of others) {
        if (other.end <= side.start) continue
        staying.push(other)
        yield [other, side]
      }
      present.set(group, staying)
    }
    const own = present.get(side.group)
    if (own) own.push(side)
    else present.set(side.group, [side])
  }
}

/** The pairs that `meetings` yields: all pairs, without those within a group. */
function countMeetings(sides: Side[]): number {
  const countPairs = (ranges: Side[]) => overlapCounts(ranges).reduce((sum, count) => sum + count, 0)
  const groups = Map.groupBy(sides, ({ group }) => group).values()
  return [...groups].reduce((sum, group) => sum - countPairs(group), countPairs(sides))
}

/** Sorts the two ids, so that a pair is the same in either order. */
const inOrder = (one: string, other: string) =>
  one < other ? { eventId: one, otherEventId: other } : { eventId: other, otherEventId: one }

function pair(nights: DateRange, other: DateRange, ids: ConflictPair): DoubleBooking[] {
  const shared = sharedNights(nights, other)
  return shared ? [{ ...ids, ...shared }] : []
}
