import type {
  AdminAvailabilityEntry,
  BookedStay,
  PromisedStay,
} from '../../../../domain/bookings/availability.ts'
import { claimMessages, untilText } from '../../../../domain/bookings/claim.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  nightsBetween,
  startOfMonth,
  weekday,
} from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { paths } from '../../../routing/paths.ts'

/** Consecutive nights with the same label: a stay, nights that are kept for somebody, or why they are blocked. */
type Bar = DateRange & {
  kind: 'booking' | 'imported' | 'held' | 'promised' | 'blocked'
  name: string
  /** The full description: guest, application and dates, or the reason. */
  title: string
  /** The page where the stay can be changed; blocked days are changed in the calendar itself. */
  href?: string
}

/** The part of a bar in one calendar row, which is a week within a month; 0 nights if it is only the departure day. */
export type BarPart = Bar & {
  nights: number
  isFirst: boolean
  isLast: boolean
  /** Whether the part ends at midday on the departure day. */
  isJoined: boolean
  /** Whether the part shows the name: all but a departure day that is alone in its row. */
  isNamed: boolean
  /** Whether Tab and screen readers reach the part: the first named part in view. */
  isReachable: boolean
}

type BarData = {
  bookings: readonly BookedStay[]
  /** Sorted by date. */
  entries: readonly AdminAvailabilityEntry[]
  promises: readonly PromisedStay[]
  timeZone: string
  /** The first day in view. */
  first: CalendarDate
}

/** The bars' parts by their first days. A departure day can also be an arrival day. */
export function barParts({
  bookings,
  entries,
  first,
  promises,
  timeZone,
}: BarData): ReadonlyMap<CalendarDate, BarPart[]> {
  const bars = [
    ...bookings.map(bookingBar),
    ...importedStays(entries).map(importedBar),
    ...blockedBars(entries),
    ...heldBars(entries, timeZone),
    ...promises.map(promise => promisedBar(promise, timeZone)),
  ]
  const byDay = new Map<CalendarDate, BarPart[]>()
  for (const part of bars.flatMap(bar => partsOf(bar, first)))
    byDay.set(part.start, [...(byDay.get(part.start) ?? []), part])
  return byDay
}

function partsOf(bar: Bar, first: CalendarDate): BarPart[] {
  const isStay = bar.kind !== 'blocked'
  const parts: BarPart[] = []
  for (let start = bar.start; start < bar.end; ) {
    const end = earlier(bar.end, endOfRow(start))
    const isLast = end === bar.end
    const isJoined = isLast && isStay && end < endOfRow(start)
    parts.push({
      ...bar,
      start,
      nights: nightsBetween(start, end),
      isFirst: start === bar.start,
      isLast: isLast && (isJoined || !isStay),
      isJoined,
      isNamed: true,
      isReachable: false,
    })
    start = end
  }
  const reached = parts.find(({ start }) => first <= start && start < addMonths(first, 3))
  if (reached) reached.isReachable = true
  const last = parts.at(-1)
  if (!isStay || !last || last.isLast) return parts
  return [...parts, { ...last, ...morning, start: bar.end }]
}

/** A departure day that is alone in its calendar row. */
const morning = {
  nights: 0,
  isFirst: false,
  isLast: true,
  isJoined: true,
  isNamed: false,
  isReachable: false,
}

/** The day after the last day in the same calendar row. */
function endOfRow(date: CalendarDate): CalendarDate {
  const nextSunday = addDays(date, 7 - weekday(date))
  const nextMonth = addMonths(startOfMonth(date), 1)
  return earlier(nextSunday, nextMonth)
}

const earlier = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b)

function bookingBar({ applicationId, applicationNumber, firstName, lastName, start, end }: BookedStay): Bar {
  return {
    kind: 'booking',
    name: lastName,
    title: `${firstName} ${lastName}, ${applicationNumber}: ${inFull({ start, end })}`,
    href: paths.adminApplication(applicationId),
    start,
    end,
  }
}

function importedBar({ feedName, start, end }: ReturnType<typeof importedStays>[number]): Bar {
  const title = `Booked on ${feedName}: ${inFull({ start, end })}`
  return { kind: 'imported', name: feedName, title, href: paths.adminCalendars, start, end }
}

/** Consecutive nights that are held for the same person; where they can be freed, there are the offers. */
function heldBars(entries: readonly AdminAvailabilityEntry[], timeZone: string): Bar[] {
  const bars: (Bar & { claimId: string })[] = []
  for (const { claimId, claimName = '', claimUntil, date } of entries) {
    if (claimId === undefined || claimUntil === undefined) continue
    const last = bars.at(-1)
    const name = claimMessages.holder(claimName)
    const title = `${name} until ${untilText(claimUntil, timeZone)}`
    if (last?.claimId === claimId && last.end === date) last.end = addDays(date, 1)
    else
      bars.push({
        claimId,
        kind: 'held',
        name,
        title,
        href: paths.adminOffers(),
        start: date,
        end: addDays(date, 1),
      })
  }
  return bars
}

function promisedBar(
  { endDate: end, name: who, startDate: start, state, until }: PromisedStay,
  timeZone: string,
): Bar {
  const name = claimMessages.promisee(who)
  const title = `${name} until ${untilText(until, timeZone)}${state === 'asked' ? ', to answer' : ''}`
  return { kind: 'promised', name, title, href: `${paths.adminOffers()}?show=promised`, start, end }
}

/** Consecutive days that are blocked for the same reason; days without a specific reason have no bar. */
function blockedBars(entries: readonly AdminAvailabilityEntry[]): Bar[] {
  const bars: Bar[] = []
  for (const { applicationId, claimId, date, feedId, isAvailable, reason } of entries) {
    if (isAvailable || applicationId || feedId || claimId || reason === '' || reason === 'Unavailable')
      continue
    const last = bars.at(-1)
    if (last?.name === reason && last.end === date) last.end = addDays(date, 1)
    else bars.push({ kind: 'blocked', name: reason, title: reason, start: date, end: addDays(date, 1) })
  }
  return bars
}

const inFull = (stay: DateRange) =>
  `${formatShortStay(stay)}, ${plural(nightsBetween(stay.start, stay.end), 'night')}`

export type ImportedStay = DateRange & { feedId: string; feedName: string }

/** Merges consecutive nights taken by the same imported calendar into stays. Expects the entries sorted by date. */
export function importedStays(entries: readonly AdminAvailabilityEntry[]): ImportedStay[] {
  const stays: ImportedStay[] = []
  for (const { date, feedId, feedName } of entries) {
    if (feedId === undefined || feedName === undefined) continue
    const last = stays.at(-1)
    if (last?.feedId === feedId && last.end === date) last.end = addDays(date, 1)
    else stays.push({ feedId, feedName, start: date, end: addDays(date, 1) })
  }
  return stays
}
