import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportedNights, type PlatformExport } from '../../../domain/calendars/calendar-echo.ts'
import { blocksNights, type CalendarEvent, expandRange } from '../../../domain/calendars/calendar-event.ts'
import { type PublishedStay, platformEvent, writeCalendar } from '../../../domain/calendars/calendar-file.ts'
import { applyReading } from '../../../domain/calendars/calendar-matching.ts'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  datesInRange,
  overlaps,
} from '../../../domain/common/dates.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { parseCalendar } from './parse-calendar.ts'

const start = Date.parse('2027-05-01T12:00:00.000Z')
const uidDomain = 'condo.example'

type Platform = {
  /** The platform's own reservations. */
  reservations: Map<string, DateRange>
  /** Nights that the platform blocks because our calendar contains them. */
  blocked: Set<CalendarDate>
  /** Hours between the platform's readings of our calendar. */
  pauseHours: number
}

/** Simulates this site and three platforms, which all read the site's calendar. */
function ring(
  pauses: number[],
  { keepsUids, turnoverNights }: { keepsUids: boolean; turnoverNights: number },
) {
  const platforms: Platform[] = pauses.map(pauseHours => ({
    reservations: new Map(),
    blocked: new Set(),
    pauseHours,
  }))
  const feeds = platforms.map(() => ({
    events: [] as CalendarEvent[],
    emptySince: null as string | null,
    lastSuccessAt: null as string | null,
    lastFetchedAt: null as string | null,
  }))
  const bookings = new Map<string, DateRange>()
  const bookedAt = new Map<string, string>()
  const published = new Map<string, PublishedStay>()
  let now = new Date(start)
  let count = 0
  const today = () => now.toISOString().slice(0, 10)
  const read = (text: string) => {
    const bytes = new TextEncoder().encode(text)
    const parsed = parseCalendar({ bytes, provider: 'other', today: today(), timeZone: 'UTC' })
    if ('problem' in parsed) throw new Error(parsed.problem)
    return parsed
  }

  /** The site's export for a platform: bookings and the other platforms' nights (CAL-53). */
  function staysFor(platform: number): PublishedStay[] {
    const imported = feeds.flatMap(({ events }, at) => (at === platform ? [] : events.filter(blocksNights)))
    const stays = [...[...bookings].map(([id, range]) => ({ id, ...range })), ...imported]
    return stays.map(({ end, id, start }) => {
      const known = published.get(id)
      if (known?.start === start && known.end === end) return known
      const sequence = known ? known.sequence + 1 : 0
      const stay = {
        uid: `${id}@${uidDomain}`,
        start,
        end,
        sequence,
        changedAt: now.toISOString(),
        bookedAt: bookedAt.get(id),
      }
      published.set(id, stay)
      return stay
    })
  }
  const exportFor = (platform: number): PlatformExport => ({
    lastFetchedAt: feeds[platform]?.lastFetchedAt ?? null,
    ...exportedNights(staysFor(platform), turnoverNights),
  })

  function platformReads(at: number) {
    const wide = staysFor(at).map(stay =>
      platformEvent({ ...stay, ...expandRange(stay, turnoverNights) }, false),
    )
    const text = writeCalendar('For a platform', wide)
    const feed = feeds[at]
    const platform = platforms[at]
    if (!feed || !platform) return
    feed.lastFetchedAt = now.toISOString()
    platform.blocked = new Set(read(text).events.flatMap(event => datesInRange(event)))
  }

  /** A platform's calendar file; reservations and runs of blocked nights look the same, as on Booking.com. */
  function fileOf(at: number): string {
    const platform = platforms[at]
    if (!platform) return ''
    const runs: DateRange[] = []
    for (const night of [...platform.blocked].sort()) {
      const run = runs.at(-1)
      if (run?.end === night) run.end = addDays(night, 1)
      else runs.push({ start: night, end: addDays(night, 1) })
    }
    const stays = [
      ...[...platform.reservations].map(([uid, range]) => ({ uid, ...range })),
      ...runs.map(range => ({
        uid: keepsUids ? `${at}-run-${range.start}` : `${at}-run-${count++}`,
        ...range,
      })),
    ]
    return writeCalendar(
      'Platform',
      stays.map(stay => platformEvent({ ...stay, sequence: 0, changedAt: now.toISOString() }, true)),
    )
  }

  function siteReads(at: number) {
    const feed = feeds[at]
    if (!feed) return
    const plan = applyReading(feed.events, read(fileOf(at)), {
      now,
      today: today(),
      mode: 'all',
      uidDomain,
      exports: [exportFor(at)],
      lastSuccessAt: feed.lastSuccessAt,
      emptySince: feed.emptySince,
    })
    const added = plan.added.map(event => ({ ...event, id: `e${count++}`, feedId: `f${at}` }))
    feed.events = [...plan.events, ...added]
    feed.emptySince = plan.emptySince
    feed.lastSuccessAt = now.toISOString()
    for (const platform of platforms.keys()) staysFor(platform)
  }

  return {
    platforms,
    bookings,
    /** Reads all platforms before a booking here is made or moved (CAL-40). */
    book(id: string, range: DateRange) {
      for (const at of platforms.keys()) siteReads(at)
      bookings.set(id, range)
      bookedAt.set(id, now.toISOString())
    },
    /** Simulates half an hour: the site reads all platforms, and each platform reads the site when it is due. */
    pass(halfHour: number) {
      now = new Date(start + (halfHour * hourMs) / 2)
      for (const [at, { pauseHours }] of platforms.entries()) {
        if (halfHour % (pauseHours * 2) === at) platformReads(at)
        siteReads(at)
      }
    },
    /** Nights that imported events take. */
    get imported() {
      return new Set(
        feeds.flatMap(({ events }) => events.filter(blocksNights).flatMap(event => datesInRange(event))),
      )
    },
    get blocked() {
      return platforms.flatMap(({ blocked }) => [...blocked])
    },
  }
}

test('three platforms that read each other through this site leave no night blocked without a reservation [CAL-46, CAL-47, CAL-48]', () => {
  const action = fc.record({
    halfHour: fc.nat(96),
    platform: fc.nat(3),
    kind: fc.constantFrom('book', 'book', 'move', 'cancel'),
    day: fc.integer({ min: 60, max: 75 }),
    nights: fc.integer({ min: 1, max: 4 }),
  })
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 10 }),
      fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(3, 4, 6, 12))),
      fc.record({ keepsUids: fc.boolean(), turnoverNights: fc.constantFrom(0, 0, 1) }),
      (actions, pauses, options) => {
        const site = ring(pauses, options)
        const stays = (platform: number) => site.platforms[platform]?.reservations ?? site.bookings
        // Two platforms that sold a night at the same time keep it blocked through each other, even after both were
        // canceled. The owner can release it.
        const soldTwice = new Set<CalendarDate>()
        const noteSoldTwice = () => {
          const wideOf = (at: number) =>
            [...stays(at).values()].map(range => expandRange(range, options.turnoverNights))
          for (const [one, other] of [
            [0, 1],
            [0, 2],
            [1, 2],
          ] as const)
            for (const range of wideOf(one))
              for (const second of wideOf(other).filter(wide => overlaps(range, wide)))
                for (const night of [range, second].flatMap(datesInRange)) soldTwice.add(night)
        }
        let count = 0
        for (let halfHour = 0; halfHour <= 96; halfHour++) {
          for (const { day, kind, nights, platform } of actions.filter(each => each.halfHour === halfHour)) {
            const range = { start: addDays('2027-05-01', day), end: addDays('2027-05-01', day + nights) }
            const [first] = stays(platform).keys()
            const id = kind === 'book' ? `${platform}-stay-${count++}` : first
            if (!id) continue
            if (kind === 'cancel') stays(platform).delete(id)
            else if (platform === 3) site.book(id, range)
            else stays(platform).set(id, range)
          }
          noteSoldTwice()
          site.pass(halfHour)
        }
        // After two more days, all platforms know all reservations.
        for (let halfHour = 97; halfHour <= 200; halfHour++) site.pass(halfHour)
        const booked = new Set([0, 1, 2, 3].flatMap(at => [...stays(at).values()].flatMap(datesInRange)))
        const wide = [0, 1, 2, 3].flatMap(at =>
          [...stays(at).values()].flatMap(range => datesInRange(expandRange(range, options.turnoverNights))),
        )
        for (const night of site.imported) expect(booked).toContain(night)
        for (const night of site.blocked) expect(wide).toContain(night)
        // A night booked twice before the others knew looks like an echo. All other nights are blocked everywhere.
        const ranges = [0, 1, 2, 3].flatMap(at => [...stays(at).values()].map(range => ({ at, range })))
        const isAlone = (one: DateRange) =>
          ranges.every(
            ({ range }) => range === one || !overlaps(expandRange(one, options.turnoverNights), range),
          )
        for (const { at, range } of ranges.filter(each => isAlone(each.range)))
          for (const [other, { blocked }] of site.platforms.entries())
            if (other !== at) for (const night of datesInRange(range)) expect(blocked).toContain(night)

        for (const at of [0, 1, 2, 3]) stays(at).clear()
        for (let halfHour = 201; halfHour <= 450; halfHour++) site.pass(halfHour)
        const left = [...site.imported, ...site.blocked]
        expect(left.filter(night => !soldTwice.has(night))).toEqual([])
      },
    ),
    { numRuns: 8 },
  )
}, 60_000)
