import { randomUUID } from 'node:crypto'
import {
  availability,
  calendarEvents,
  calendarExports,
  calendarFeeds,
  calendarPublished,
} from '../../db/schema.ts'
import { requireAdmin } from '../domain/accounts/access.ts'
import { addDays, type DateRange, datesInRange } from '../domain/common/dates.ts'
import { calendarSection } from '../domain/content/settings-section.ts'
import { platformExportsFor, syncPublished } from '../server/bookings/calendars/published.ts'
import { readSection, saveSection } from '../server/site/settings.ts'
import { dates, makeBooking } from './build-application.ts'
import { type TestApp, testApp } from './test-app.ts'

/** A site whose imported events are inserted directly, without fetching a feed, and whose exports can be inspected. */
export async function calendarSite(options?: Parameters<typeof testApp>[0]) {
  const app = await testApp(options)
  const { deps } = app
  const [tenant, admin] = [await app.makeTenant(), requireAdmin(await app.makeAdmin())]
  const at = () => deps.clock.now().toISOString()

  return {
    ...app,
    tenant,
    admin,
    calendars: app.as(admin).calendars,
    book: (start: string, end: string, overrides: Parameters<typeof makeBooking>[3] = {}) =>
      makeBooking(app, tenant, admin, { ...dates(start, end), ...overrides }),
    addFeed: (name: string) => makeFeed(app, { name, provider: 'other', lastSuccessAt: null }),
    addEvent: (feedId: string, start: string, end: string, change: Parameters<typeof makeEvent>[3] = {}) =>
      makeEvent(app, feedId, { start, end }, change),
    /** Blocks or frees nights as the owner does, past nights too. */
    block: (start: string, end: string, reason = 'Painting', isAvailable = false) =>
      deps.write(tx => {
        for (const date of datesInRange({ start, end })) {
          const values = { isAvailable, reason, updatedAt: at() }
          tx.insert(availability)
            .values({ date, ...values })
            .onConflictDoUpdate({ target: availability.date, set: values })
            .run()
        }
      }),
    setTurnover: (turnoverNights: number) =>
      saveSection(deps, admin, calendarSection, {
        version: readSection(deps.db, calendarSection).version,
        body: { turnoverNights },
      }),
    addExport: async (change: Partial<typeof calendarExports.$inferInsert> = {}) => {
      const id = randomUUID()
      await deps.write(tx =>
        tx
          .insert(calendarExports)
          .values({
            id,
            name: 'For Airbnb',
            scope: 'platform',
            token: randomUUID(),
            createdAt: at(),
            ...change,
          })
          .run(),
      )
      return id
    },
    renew: () => deps.write(tx => syncPublished(deps, tx)),
    /** The current rows, by first night. */
    published: () =>
      deps.db
        .select()
        .from(calendarPublished)
        .all()
        .filter(({ goneAt }) => goneAt === null)
        .sort((a, b) => (a.start < b.start ? -1 : 1)),
    /** The nights of each platform export that is linked to this feed or to none, as half-open ranges. */
    exportedFor: (feedId: string) =>
      platformExportsFor(deps, deps.db, feedId).map(({ nights }) => toRanges(nights)),
  }
}

/** Inserts an empty feed that was just read, and returns its id. */
export async function makeFeed(
  app: Pick<TestApp, 'deps'>,
  overrides: Partial<typeof calendarFeeds.$inferInsert> = {},
): Promise<string> {
  const id = randomUUID()
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(calendarFeeds)
      .values({
        id,
        name: 'Airbnb',
        provider: 'airbnb',
        mode: 'all',
        url: `https://calendars.example/${id}.ics`,
        active: true,
        createdAt: at,
        lastSuccessAt: at,
        ...overrides,
      })
      .run(),
  )
  return id
}

/** Inserts an imported event and returns its id. Does not update conflicts. */
export async function makeEvent(
  app: Pick<TestApp, 'deps'>,
  feedId: string,
  { end, start }: DateRange,
  overrides: Partial<typeof calendarEvents.$inferInsert> = {},
): Promise<string> {
  const id = randomUUID()
  const at = app.deps.clock.now().toISOString()
  await app.deps.write(tx =>
    tx
      .insert(calendarEvents)
      .values({
        id,
        feedId,
        start,
        end,
        uid: `${id}@calendars.example`,
        kind: 'reservation',
        echo: false,
        firstSeenAt: at,
        lastSeenAt: at,
        ...overrides,
      })
      .run(),
  )
  return id
}

/** Groups nights into half-open ranges. */
function toRanges(nights: ReadonlyMap<string, string>): string[] {
  const sorted = [...nights.keys()].sort()
  const starts = sorted.filter(night => !nights.has(addDays(night, -1)))
  return starts.map(start => {
    let end = start
    while (nights.has(end)) end = addDays(end, 1)
    return `${start} ${end}`
  })
}
