import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'
import { exportedNights, type PlatformExport } from './calendar-echo.ts'
import { blocksNights, type CalendarEvent, type EventKind, type ReadEvent } from './calendar-event.ts'
import {
  applyReading,
  endAllEvents,
  endBlockEvents,
  type Reading,
  type ReadingContext,
  type ReadingPlan,
} from './calendar-matching.ts'

const start = Date.parse('2027-05-01T12:00:00.000Z')
const at = (hours: number) => new Date(start + hours * hourMs)

/** A feed that is fetched repeatedly. */
function feed(change: Partial<ReadingContext> = {}) {
  let events: CalendarEvent[] = []
  let emptySince: string | null = null
  let lastSuccessAt: string | null = null
  let count = 0
  const readAll = (hours: number, reading: Reading, more: Partial<ReadingContext> = {}): ReadingPlan => {
    const now = at(hours)
    const plan = applyReading(events, reading, {
      now,
      today: now.toISOString().slice(0, 10),
      mode: 'all',
      uidDomain: 'condo.example',
      exports: [],
      lastSuccessAt,
      emptySince,
      ...change,
      ...more,
    })
    events = [...plan.events, ...plan.added.map(event => ({ ...event, id: `e${count++}`, feedId: 'f' }))]
    emptySince = plan.emptySince
    lastSuccessAt = now.toISOString()
    return plan
  }
  return {
    readAll,
    /** A successful fetch without unreadable events. */
    read: (hours: number, read: ReadEvent[], more?: Partial<ReadingContext>) =>
      readAll(hours, { events: read, eventCount: read.length, unreadable: 0 }, more),
    change: (update: (event: CalendarEvent) => CalendarEvent) => {
      events = events.map(update)
    },
    get events() {
      return events
    },
    /** Ids and nights of the events that have not ended. */
    get live() {
      return events
        .filter(({ endedAt }) => endedAt === null)
        .map(({ end, id, start }) => `${id} ${start} ${end}`)
    },
    get emptySince() {
      return emptySince
    },
  }
}

const event = (uid: string, start: string, end: string, kind: EventKind = 'unclear'): ReadEvent => ({
  uid,
  kind,
  start,
  end,
})
const june = event('a', '2027-06-01', '2027-06-05')
const july = event('b', '2027-07-01', '2027-07-05')
const august = event('c', '2027-08-01', '2027-08-05')

describe('matching', () => {
  test('treats the same UID and dates as the same event [CAL-28]', () => {
    const airbnb = feed()
    expect(airbnb.read(0, [june, july])).toMatchObject({ moved: 0, missing: 0, ended: 0 })
    expect(airbnb.read(1, [july, june])).toMatchObject({ added: [], moved: 0, missing: 0 })
    expect(airbnb.live).toEqual(['e0 2027-06-01 2027-06-05', 'e1 2027-07-01 2027-07-05'])
  })

  test('treats the same dates with other UIDs as renamed events in a feed that renews them all [CAL-28]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    airbnb.change(each => ({ ...each, releasedAt: at(0).toISOString() }))
    for (const hours of [1, 2]) {
      const renewed = [june, july].map(each => ({ ...each, uid: `${each.uid}-${hours}` }))
      expect(airbnb.read(hours, renewed)).toMatchObject({ added: [], moved: 0, missing: 0, ended: 0 })
    }
    expect(airbnb.events).toMatchObject([
      { id: 'e0', uid: 'a-2', releasedAt: expect.any(String) },
      { id: 'e1', uid: 'b-2', releasedAt: expect.any(String) },
    ])
  })

  // Nobody books what is over: a past event with another UID shows that the feed renews them.
  test('a past event counts for a feed that renews its UIDs [CAL-28]', () => {
    const airbnb = feed()
    const may = event('m', '2027-05-01', '2027-05-03')
    airbnb.read(0, [may, june])
    const renewed = [may, june].map(each => ({ ...each, uid: `${each.uid}-1` }))
    expect(airbnb.read(72, renewed)).toMatchObject({ added: [], missing: 0, ended: 0 })
    expect(airbnb.events[1]).toMatchObject({ id: 'e1', uid: 'a-1' })
  })

  // Another guest may have booked the nights that the owner released: when in doubt, they stay taken.
  test.each([
    ['beside an event that kept its UID', [july], [july]],
    ['alone in its feed', [], []],
    ['beside another that is gone', [july], []],
    ['beside another with the same dates', [{ ...june, uid: 'b' }], [{ ...june, uid: 'new-b' }]],
  ])('an event %s does not hand its release to one with another UID [CAL-28, CAL-35]', (_, before, after) => {
    const airbnb = feed()
    airbnb.read(0, [june, ...before])
    airbnb.change(each => ({ ...each, releasedAt: at(0).toISOString() }))
    const { added } = airbnb.read(1, [{ ...june, uid: 'new' }, ...after])
    expect(added).toContainEqual(expect.objectContaining({ uid: 'new', releasedAt: null, echo: false }))
    expect(airbnb.events[0]).toMatchObject({ id: 'e0', uid: 'a', endedAt: at(1).toISOString() })
    expect(airbnb.read(2, [{ ...june, uid: 'new' }, ...after])).toMatchObject({ added: [], ended: 0 })
  })

  test('a feed that numbers its events anew after a cancellation renames them [CAL-28]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july, august])
    const renumbered = [
      { ...july, uid: 'a' },
      { ...august, uid: 'b' },
    ]
    expect(airbnb.read(1, renumbered)).toMatchObject({ added: [], moved: 0, missing: 1, ended: 0 })
  })

  test('treats the same UID with other dates as a moved event, which frees its old nights at once [CAL-28, CAL-29]', () => {
    const airbnb = feed()
    airbnb.read(0, [june])
    expect(airbnb.read(1, [{ ...june, end: '2027-06-03' }])).toMatchObject({
      added: [],
      moved: 1,
      missing: 0,
    })
    expect(airbnb.live).toEqual(['e0 2027-06-01 2027-06-03'])
  })

  test('finds renamed events before moved ones [CAL-28]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, august])
    const plan = airbnb.read(1, [
      { ...june, uid: 'z' },
      { ...july, uid: 'a' },
      { ...august, uid: 'y' },
    ])
    expect(plan).toMatchObject({ added: [{ uid: 'a', start: '2027-07-01' }], moved: 0 })
    expect(airbnb.live).toEqual([
      'e0 2027-06-01 2027-06-05',
      'e1 2027-08-01 2027-08-05',
      'e2 2027-07-01 2027-07-05',
    ])
  })

  test('keeps two events with the same UID separate [CAL-28]', () => {
    const series = feed()
    const [one, two] = [june, { ...july, uid: 'a' }]
    series.read(0, [one, two])
    expect(series.read(1, [two])).toMatchObject({ moved: 0, missing: 1 })
    expect(series.read(2, [two, one, { ...august, uid: 'a' }])).toMatchObject({ moved: 0, missing: 0 })
    expect(series.live).toHaveLength(3)
  })

  test('matches events without a UID only by their dates [CAL-28]', () => {
    const bare = feed()
    bare.read(0, [{ ...june, uid: '' }])
    expect(bare.read(1, [{ ...july, uid: '' }])).toMatchObject({ moved: 0, missing: 1, added: [{ uid: '' }] })
  })

  test('imports no past events, and never moves a coming event of a series into the past [CAL-25, CAL-28]', () => {
    const series = feed()
    const past = event('a', '2027-03-01', '2027-03-05')
    expect(series.read(0, [past]).added).toEqual([])
    series.read(1, [june])
    // Two repetitions are left, one of them past: June is missing, not moved.
    expect(series.read(2, [past, event('a', '2027-04-01', '2027-04-05')])).toMatchObject({
      moved: 0,
      missing: 1,
    })
    expect(series.live).toEqual(['e0 2027-06-01 2027-06-05'])
  })

  test('frees the rest of a stay at once when the guest leaves today [CAL-29]', () => {
    const airbnb = feed()
    airbnb.read(0, [event('a', '2027-04-28', '2027-05-20')])
    expect(airbnb.read(1, [event('a', '2027-04-28', '2027-05-01')])).toMatchObject({ moved: 1 })
    expect(airbnb.live).toEqual(['e0 2027-04-28 2027-05-01'])
  })

  test('leaves out blocks in the reservations mode, and ends them when that mode is chosen [CAL-27]', () => {
    const airbnb = feed({ mode: 'reservations' })
    const block = event('x', '2027-06-10', '2027-06-12', 'block')
    expect(airbnb.read(0, [june, block]).added).toMatchObject([{ uid: 'a' }])
    const all = feed()
    all.read(0, [june, block])
    expect(endBlockEvents(all.events, at(1)).map(({ endedAt }) => endedAt)).toEqual([
      null,
      at(1).toISOString(),
    ])
  })

  test("ignores UIDs of the site's own domain, whatever their dates [CAL-46]", () => {
    const airbnb = feed()
    expect(airbnb.read(0, [{ ...june, uid: 'q1@Condo.example' }]).added).toEqual([])
    expect(airbnb.read(1, [{ ...june, uid: 'q1@other-condo.example' }]).added).toHaveLength(1)
    expect(airbnb.emptySince).toBeNull()
  })
})

describe('missing events', () => {
  test('end at the third successful fetch without them, two hours after the first [CAL-30]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    expect(airbnb.read(1, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(1.5, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(2.9, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(3, [july])).toMatchObject({ missing: 0, ended: 1 })
    expect(airbnb.live).toEqual(['e1 2027-07-01 2027-07-05'])
  })

  test('do not end at the second fetch, however late it is [CAL-30]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    airbnb.read(1, [july])
    expect(airbnb.read(100, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(101, [july])).toMatchObject({ ended: 1 })
  })

  test('are reset when they are seen again [CAL-30]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    airbnb.read(1, [july])
    airbnb.read(4, [july])
    airbnb.read(5, [june, july])
    expect(airbnb.events[0]).toMatchObject({ id: 'e0', missingSince: null, misses: 0, endedAt: null })
    for (const hours of [6, 9]) expect(airbnb.read(hours, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(10, [july])).toMatchObject({ ended: 1 })
  })

  test('count as missing once more after a "not modified" response; present events stay present [CAL-13]', () => {
    const airbnb = feed()
    const unchanged: Reading = { events: null, eventCount: 1, unreadable: 0 }
    airbnb.read(0, [june, july])
    airbnb.read(1, [july])
    expect(airbnb.readAll(2, unchanged)).toMatchObject({ missing: 1, ended: 0, added: [] })
    expect(airbnb.readAll(3, unchanged)).toMatchObject({ missing: 0, ended: 1 })
    expect(airbnb.readAll(4, unchanged)).toMatchObject({ missing: 0, ended: 0 })
    expect(airbnb.live).toEqual(['e1 2027-07-01 2027-07-05'])
  })

  test('are not counted by a fetch with an unreadable event, which still adds and moves events [CAL-18]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    for (let hours = 1; hours < 9; hours++) {
      const moved = { ...july, end: `2027-07-1${hours}` }
      expect(airbnb.readAll(hours, { events: [moved], eventCount: 2, unreadable: 1 })).toMatchObject({
        moved: 1,
        missing: 0,
        ended: 0,
      })
    }
    expect(airbnb.events[0]).toMatchObject({ misses: 0, missingSince: null, endedAt: null })
    expect(airbnb.readAll(9, { events: [july, august], eventCount: 3, unreadable: 1 }).added).toMatchObject([
      { uid: 'c' },
    ])
  })

  test('never end once they have begun [CAL-32]', () => {
    const airbnb = feed()
    const begun = event('a', '2027-05-01', '2027-05-20')
    airbnb.read(0, [begun, july])
    for (let hours = 1; hours < 200; hours += 10)
      expect(airbnb.read(hours, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.live).toContain('e0 2027-05-01 2027-05-20')
  })

  test('do not end when the clock is set back, and are counted from zero [CAL-33]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    airbnb.read(1, [july])
    airbnb.read(2, [july])
    expect(airbnb.read(-48, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(-46, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(-44, [july])).toMatchObject({ missing: 1, ended: 0 })
    // June was last seen at hour 0; before that, the clock counts as set back.
    expect(airbnb.read(0.1, [july])).toMatchObject({ missing: 1, ended: 0 })
    expect(airbnb.read(2.2, [july])).toMatchObject({ ended: 1 })
  })
})

describe('empty feeds', () => {
  test('keep their events for a day, then end them [CAL-31]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    for (const hours of [1, 2, 3, 10, 24.9])
      expect(airbnb.read(hours, [])).toMatchObject({ missing: 2, ended: 0, emptySince: at(1).toISOString() })
    expect(airbnb.read(25, [])).toMatchObject({ missing: 0, ended: 2, emptySince: null })
    expect(airbnb.live).toEqual([])
  })

  test('are reset when events come back, even after "not modified" responses [CAL-31, CAL-13]', () => {
    const airbnb = feed()
    airbnb.read(0, [june])
    airbnb.read(1, [])
    expect(airbnb.readAll(20, { events: null, eventCount: 0, unreadable: 0 })).toMatchObject({ missing: 1 })
    expect(airbnb.read(24, [june])).toMatchObject({ missing: 0, emptySince: null })
    airbnb.read(25, [])
    expect(airbnb.read(30, [])).toMatchObject({ ended: 0 })
    expect(airbnb.readAll(49, { events: null, eventCount: 0, unreadable: 0 })).toMatchObject({ ended: 1 })
  })

  test('without stored events do not count as empty [CAL-31]', () => {
    const airbnb = feed()
    expect(airbnb.read(0, [])).toMatchObject({ emptySince: null, missing: 0 })
  })

  test('keep events that have begun, and end none when the clock is set back [CAL-31, CAL-32, CAL-33]', () => {
    const airbnb = feed()
    airbnb.read(0, [event('a', '2027-04-28', '2027-05-20'), july])
    airbnb.read(1, [])
    airbnb.read(-24, [])
    expect(airbnb.emptySince).toBe(at(-24).toISOString())
    // Missing since hour 1; before that, the clock counts as set back.
    expect(airbnb.read(0.5, [])).toMatchObject({ ended: 0, missing: 2 })
    expect(airbnb.read(1, [])).toMatchObject({ ended: 1, missing: 1 })
    expect(airbnb.live).toEqual(['e0 2027-04-28 2027-05-20'])
  })

  test('end their events at once when the owner confirms [CAL-31]', () => {
    const airbnb = feed()
    airbnb.read(0, [event('a', '2027-04-28', '2027-05-20'), july])
    expect(endAllEvents(airbnb.events, at(1)).every(({ endedAt }) => endedAt === at(1).toISOString())).toBe(
      true,
    )
  })
})

test('a released event stays released until it moves [CAL-35]', () => {
  const airbnb = feed()
  airbnb.read(0, [june])
  airbnb.change(each => ({ ...each, releasedAt: at(0).toISOString() }))
  airbnb.read(1, [june])
  expect(airbnb.events[0]?.releasedAt).toBe(at(0).toISOString())
  airbnb.read(2, [{ ...june, end: '2027-06-06' }])
  expect(airbnb.events[0]?.releasedAt).toBeNull()
})

describe('echoes', () => {
  const given = (
    fetchedHours: number | null,
    changedHours: number,
    ...ranges: ReadEvent[]
  ): PlatformExport => ({
    lastFetchedAt: fetchedHours === null ? null : at(fetchedHours).toISOString(),
    ...exportedNights(
      ranges.map(({ end, start }) => ({ start, end, changedAt: at(changedHours).toISOString() })),
    ),
  })
  const echoOf = (read: ReadEvent, exports: PlatformExport[]) =>
    feed({ exports }).read(0, [read]).added[0]?.echo

  test('an event is an echo if an export fetched since then contains all its nights [CAL-47]', () => {
    expect(echoOf(june, [given(-1, -2, june)])).toBe(true)
    expect(echoOf({ ...june, end: '2027-06-03' }, [given(-1, -2, june)])).toBe(true)
    // Two adjacent stays come back as one block.
    const joined = event('a', '2027-06-01', '2027-06-09')
    expect(echoOf(joined, [given(-1, -2, june, event('b', '2027-06-05', '2027-06-09'))])).toBe(true)
  })

  const bookedAt = (hours: number, changedHours = hours, fetchedHours = -0.1): PlatformExport => ({
    lastFetchedAt: at(fetchedHours).toISOString(),
    ...exportedNights([
      {
        start: june.start,
        end: june.end,
        changedAt: at(changedHours).toISOString(),
        bookedAt: at(hours).toISOString(),
      },
    ]),
  })
  const minutes = (count: number) => count / 60
  const readBefore = (hours: number | null, exported: PlatformExport, read: ReadEvent) =>
    feed({ lastSuccessAt: hours === null ? null : at(hours).toISOString(), exports: [exported] }).read(0, [
      read,
    ]).added[0]?.echo

  test('an event of no kind is an echo of a booking only if the feed was read without it since, or just before [CAL-47]', () => {
    const unclear = { ...june, kind: 'unclear' as const }
    expect(readBefore(-0.5, bookedAt(-1), unclear)).toBe(true)
    expect(readBefore(-1 - minutes(1), bookedAt(-1), unclear)).toBe(true)
    expect(readBefore(-1 - minutes(3), bookedAt(-1), unclear)).toBe(false)
    expect(readBefore(null, bookedAt(-1), unclear)).toBe(false)
    // Published anew, for example with the first calendar, but booked long before.
    expect(readBefore(-1, bookedAt(-9, -0.5), unclear)).toBe(true)
    expect(readBefore(-2, bookedAt(-1), { ...june, kind: 'block' })).toBe(true)
  })

  test('an echo of no kind that moves with its booking stays one without such a reading [CAL-47]', () => {
    const unclear = { ...june, kind: 'unclear' as const }
    const platform = feed({ exports: [bookedAt(-1)] })
    platform.read(0, [{ ...unclear, end: '2027-06-03' }], { lastSuccessAt: at(-0.5).toISOString() })
    platform.read(1, [unclear], { lastSuccessAt: at(-9).toISOString() })
    expect(platform.events).toMatchObject([{ end: june.end, echo: true }])
  })

  test('an event inside an exported stay, without its first or its last night, is not an echo [CAL-42, CAL-47]', () => {
    const exports = [given(-1, -2, june, event('b', '2027-06-05', '2027-06-09'))]
    expect(echoOf({ ...june, start: '2027-06-02', end: '2027-06-04' }, exports)).toBe(false)
    // The last night of one stay and the first of the next.
    expect(echoOf({ ...june, start: '2027-06-04', end: '2027-06-06' }, exports)).toBe(false)
    expect(echoOf({ ...june, start: '2027-06-02' }, exports)).toBe(true)
  })

  test.each([
    ['not fetched since the nights were changed', june, [given(-3, -2, june)]],
    ['never fetched', june, [given(null, -2, june)]],
    ['without one of the nights', { ...june, end: '2027-06-06' }, [given(-1, -2, june)]],
    ['that does not exist', june, []],
    [
      'beside another with the rest',
      event('a', '2027-06-01', '2027-07-05'),
      [given(-1, -2, june), given(-1, -2, july)],
    ],
  ])('an event is not an echo of an export %s [CAL-47]', (_title, read, exports) => {
    expect(echoOf(read, exports)).toBe(false)
  })

  test('a reservation is not an echo, even if it had another kind before [CAL-47]', () => {
    const exports = [given(-1, -2, june)]
    expect(echoOf({ ...june, kind: 'reservation' }, exports)).toBe(false)
    const airbnb = feed({ exports })
    airbnb.read(0, [june])
    airbnb.read(1, [{ ...june, kind: 'reservation' }])
    expect(airbnb.events[0]?.echo).toBe(false)
  })

  test('a known event does not become an echo, but a moved one can [CAL-47]', () => {
    const airbnb = feed()
    airbnb.read(0, [june])
    const exports = [given(1, 0.5, june)]
    airbnb.read(2, [june], { exports })
    expect(airbnb.events[0]?.echo).toBe(false)
    airbnb.read(3, [{ ...june, end: '2027-06-04' }], { exports })
    expect(airbnb.events[0]?.echo).toBe(true)
    airbnb.read(4, [{ ...june, end: '2027-06-08' }], { exports })
    expect(airbnb.events[0]?.echo).toBe(false)
  })

  test('an echo with another UID stays one for its day, so that it does not circulate among platforms [CAL-28, CAL-48]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july], { exports: [given(-1, -2, june)] })
    expect(airbnb.read(1, [{ ...june, uid: 'new' }, july])).toMatchObject({ added: [], ended: 0 })
    expect(airbnb.events[0]).toMatchObject({ uid: 'new', echo: true })
    expect(airbnb.read(24, [{ ...june, uid: 'newer' }, july]).endedEchoes).toEqual(['e0'])
  })

  test('a guest who books the nights of an echo after these were freed is no echo [CAL-28, CAL-47]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july], { exports: [given(-1, -2, june)] })
    // The stay was declined. The platform frees its nights, and a guest takes them.
    airbnb.read(1, [july])
    airbnb.read(2, [{ ...june, uid: 'guest' }, july])
    expect(airbnb.events.find(({ uid }) => uid === 'guest')).toMatchObject({ echo: false, coveredAt: null })
    expect(airbnb.events[0]).toMatchObject({ endedAt: at(2).toISOString() })
    // While they are still exported, it stays an echo.
    const other = feed()
    const exports = [given(-1, -2, june)]
    other.read(0, [june, july], { exports })
    other.read(1, [july], { exports })
    other.read(2, [{ ...june, uid: 'new' }, july], { exports })
    expect(other.events[0]).toMatchObject({ uid: 'new', echo: true, endedAt: null })
  })

  test('beside an event that kept its UID, an event goes missing when an echo comes with its dates [CAL-28, CAL-30, CAL-47]', () => {
    const airbnb = feed()
    airbnb.read(0, [june, july])
    const plan = airbnb.read(2, [{ ...june, uid: 'ours' }, july], { exports: [given(1, 0.5, june)] })
    expect(plan).toMatchObject({ added: [{ uid: 'ours', echo: true }], missing: 1, ended: 0 })
  })

  test('alone in its feed, an event with other UIDs never becomes an echo [CAL-28, CAL-47]', () => {
    const airbnb = feed()
    airbnb.read(0, [june])
    const plan = airbnb.read(2, [{ ...june, uid: 'new' }], { exports: [given(1, 0.5, june)] })
    expect(plan).toMatchObject({ added: [{ uid: 'new', echo: false }], ended: 1 })
  })

  test("turnover nights around the site's stays come back as an echo too [CAL-47, CAL-49]", () => {
    const wideNights = exportedNights(
      [{ start: june.start, end: june.end, changedAt: at(-2).toISOString() }],
      2,
    )
    const wide = event('a', '2027-05-30', '2027-06-07')
    expect(echoOf(wide, [{ lastFetchedAt: at(-1).toISOString(), ...wideNights }])).toBe(true)
    expect(
      echoOf({ ...wide, end: '2027-06-08' }, [{ lastFetchedAt: at(-1).toISOString(), ...wideNights }]),
    ).toBe(false)
  })

  test('an echo that is no longer exported blocks its nights after a day [CAL-48]', () => {
    const airbnb = feed()
    airbnb.read(0, [june], { exports: [given(-1, -2, june)] })
    airbnb.read(5, [june], { exports: [given(-1, -2, june)] })
    for (const hours of [6, 20, 28.9]) expect(airbnb.read(hours, [june])).toMatchObject({ endedEchoes: [] })
    expect(airbnb.events[0]?.echo).toBe(true)
    expect(airbnb.read(29, [june]).endedEchoes).toEqual(['e0'])
    expect(airbnb.events[0]?.echo).toBe(false)
  })

  test('an echo ends even if the clock was set back [CAL-33, CAL-48]', () => {
    const airbnb = feed()
    airbnb.read(500, [june], { exports: [given(499, 498, june)] })
    expect(airbnb.read(490, [june])).toMatchObject({ endedEchoes: [] })
    expect(airbnb.read(400, [june])).toMatchObject({ endedEchoes: ['e0'] })
  })

  test('an echo missing from its feed does not block its nights before it ends [CAL-48]', () => {
    const airbnb = feed()
    airbnb.read(0, [june], { exports: [given(-1, -2, june)] })
    airbnb.read(3, [])
    expect(airbnb.read(26, [])).toMatchObject({ endedEchoes: [], ended: 0 })
    expect(airbnb.events[0]?.echo).toBe(true)
    expect(airbnb.read(27, [])).toMatchObject({ endedEchoes: [], ended: 1 })
  })

  test('past nights do not make an echo end [CAL-48]', () => {
    const stay = event('a', '2027-04-28', '2027-05-20')
    const exports = [given(-1, -2, event('b', '2027-05-01', '2027-05-20'))]
    const airbnb = feed({ exports })
    airbnb.read(0, [stay])
    airbnb.read(30, [stay], { exports })
    expect(airbnb.events[0]?.echo).toBe(true)
  })
})

/**
 * A fetch may free a taken night only if the event moved, was missing from three successful fetches over two hours, or
 * the feed was empty for a day; and never once the event has begun.
 */
test('no sequence of fetches frees a night too early [CAL-28, CAL-29, CAL-30, CAL-31, CAL-32, CAL-33]', () => {
  const read = fc.record({
    uid: fc.constantFrom('a', 'b', 'c', ''),
    kind: fc.constantFrom<EventKind>('reservation', 'block', 'unclear'),
    from: fc.integer({ min: -3, max: 12 }),
    nights: fc.integer({ min: 1, max: 4 }),
  })
  const step = fc.record({
    // Sometimes the clock is set back.
    hours: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(0.1, 0.5, 1, 2, 12, 25) },
      { weight: 1, arbitrary: fc.constantFrom(-0.5, -5, -50) },
    ),
    kind: fc.constantFrom('read', 'read', 'read', 'empty', 'unchanged', 'unreadable'),
    events: fc.array(read, { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), steps => {
      const site = feed()
      let hours = 0
      /** For each event, consecutive successful fetches without its dates. */
      const without = new Map<string, number[]>()
      let empty: number[] = []
      let last: Reading = { events: [], eventCount: 0, unreadable: 0 }
      let latest = Number.NEGATIVE_INFINITY
      for (const { events, hours: pause, kind } of steps) {
        hours += pause
        const today = at(hours).toISOString().slice(0, 10)
        const file = events.map(({ from, nights, ...each }) => ({
          ...each,
          start: addDays('2027-05-01', from),
          end: addDays('2027-05-01', from + nights),
        }))
        if (kind === 'empty') last = { events: [], eventCount: 0, unreadable: 0 }
        else if (kind !== 'unchanged')
          last = { events: file, eventCount: file.length, unreadable: kind === 'unreadable' ? 1 : 0 }
        const content = last.events ?? []
        const before = site.events.filter(({ endedAt }) => endedAt === null)
        site.readAll(hours, kind === 'unchanged' ? { ...last, events: null } : last)
        empty = last.eventCount === 0 ? [...empty, hours] : []

        for (const event of before) {
          const after = site.events.find(({ id }) => id === event.id)
          // Two events may have the same dates. If the file has fewer of them, either may be the missing one.
          const isLike = ({ end, start }: ReadEvent) => end === event.end && start === event.start
          const isSeen = content.filter(isLike).length >= before.filter(isLike).length
          const misses = isSeen || last.unreadable > 0 ? [] : [...(without.get(event.id) ?? []), hours]
          if (last.unreadable === 0) without.set(event.id, misses)
          const isReplaced = content.some(
            read =>
              isLike(read) &&
              read.uid !== event.uid &&
              site.events.some(
                other =>
                  other.uid === read.uid && isLike(other) && blocksNights(other) && other.id !== event.id,
              ),
          )
          if (isReplaced) continue
          const isFreed = after?.endedAt !== null || after.start !== event.start || after.end !== event.end
          if (!isFreed || event.end <= today) continue
          without.delete(event.id)
          const isMove = event.uid !== '' && content.some(({ uid }) => uid === event.uid)
          const isForward = hours >= latest
          const isMissed = misses.length >= 3 && hours - Math.min(...misses) >= 2 - 1e-6
          const isEmpty = empty.length > 1 && hours - Math.min(...empty) >= 24 - 1e-6
          const mayEnd = event.start > today && isForward && (isEmpty || (isMissed && empty.length === 0))
          expect(after?.endedAt === null ? isMove : mayEnd).toBe(true)
        }
        latest = hours
      }
    }),
    { numRuns: 400 },
  )
})

test.each([
  ['was released', { releasedAt: at(0).toISOString() }],
  ['is an echo', { echo: true, coveredAt: at(0).toISOString() }],
])(
  'of two stored events with the same dates, a renamed event matches the one that blocks its nights, not the one that %s [CAL-28, CAL-30]',
  (_, change) => {
    for (const first of ['a', 'b']) {
      const airbnb = feed()
      const nights = { kind: 'unclear', start: '2027-06-01', end: '2027-06-08' } as const
      airbnb.read(0, [
        { uid: 'a', ...nights },
        { uid: 'b', ...nights },
      ])
      airbnb.change(event => (event.uid === first ? { ...event, ...change } : event))
      const renamed = [{ uid: 'c', ...nights }]
      for (const hours of [1, 2, 3, 4]) airbnb.read(hours, renamed)
      const live = airbnb.events.filter(({ endedAt }) => endedAt === null)
      expect(live).toMatchObject([{ uid: 'c', echo: false, releasedAt: null }])
    }
  },
)
