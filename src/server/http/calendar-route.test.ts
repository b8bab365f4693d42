import { EventEmitter } from 'node:events'
import { Writable } from 'node:stream'
import SqliteDatabase from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import ICAL from 'ical.js'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { applications, calendarEvents, calendarExports, events } from '../../../db/schema.ts'
import type { ExportScope } from '../../domain/calendars/calendar-feed.ts'
import { addDays } from '../../domain/common/dates.ts'
import { calendarSite } from '../../testing/build-calendar.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { testRandom } from '../../testing/random.ts'
import { readStrictly, type StrictEvent } from '../../testing/strict-calendar.ts'
import { provenPrefix } from '../../testing/test-app.ts'
import { readCalendarFile } from '../bookings/calendars/calendar-file.ts'
import type { Deps } from '../kernel/deps.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { enterUnsent } from './unsent.ts'

const hour = 3_600_000

/** A site, and functions that request its calendar exports. */
async function openSite(options?: Parameters<typeof calendarSite>[0]) {
  const site = await calendarSite(options)
  const give = async (scope: ExportScope = 'platform', feedId?: string, name = 'A calendar') => {
    const { export: made, url } = await site.calendars.createExport({
      name,
      scope,
      ...(feedId && { feedId }),
    })
    return { ...made, url }
  }
  /** The new address. */
  const rotate = async (input: { id: string; keepOld: boolean }) => {
    await site.calendars.rotateExport(input)
    return site.calendars.showExport({ id: input.id })
  }
  const ask = async (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const reply = await site.http.inject({ method, url: URL.parse(url)?.pathname ?? url, headers })
    // A fetch is recorded after its answer. A write that is rolled back ends after it and changes nothing.
    const rollBack = () => {
      throw new Error('rolled back')
    }
    await site.deps.write(rollBack).catch(() => {})
    return reply
  }
  return {
    ...site,
    give,
    rotate,
    ask,
    /** Fetches the file and parses it with the RFC 5545 grammar and with ical.js. */
    read: async (url: string) => {
      const reply = await ask(url)
      expect(reply.statusCode).toBe(200)
      const { events, name } = readStrictly(reply.rawPayload)
      const parsed = new ICAL.Component(ICAL.parse(reply.body)).getAllSubcomponents('vevent')
      expect(parsed.map(vevent => new ICAL.Event(vevent).uid)).toEqual(events.map(({ UID }) => UID))
      return { name, events, text: reply.body }
    },
    overview: async (id: string) => (await site.calendars.overview()).exports.find(each => each.id === id),
  }
}

/** All rows, except the columns that a fetch updates and the sessions of `app.as`. */
function dump({ deps: { db } }: { deps: Deps }): unknown[] {
  // The test's own reads of the calendars touch a session.
  const tables = db.all<{ name: string }>(
    "select name from sqlite_master where type = 'table' and name not like '%fts%' and name <> 'sessions'",
  )
  expect(tables.map(({ name }) => name)).toContain('calendar_published')
  return tables.map(({ name }) =>
    db
      .all<{ id?: unknown }>(`select * from ${name}`)
      .filter(({ id }) => !String(id).startsWith(provenPrefix))
      .map(row => ({ ...row, last_fetched_at: null, last_agent: null })),
  )
}

const stay = (event: StrictEvent) => [event['DTSTART;VALUE=DATE'], event['DTEND;VALUE=DATE'], event.SUMMARY]

describe('the address', () => {
  test('contains 32 random bytes, needs no login, and is neither indexed nor stored in shared caches [CAL-50]', async () => {
    const site = await openSite()
    const [one, other] = [await site.give(), await site.give()]
    const token = (url: string) => /^http:\/\/localhost:\d+\/calendar\/([\w-]{43})\.ics$/.exec(url)?.[1]
    expect(token(one.url)).toEqual(expect.any(String))
    expect(token(one.url)).not.toBe(token(other.url))
    const reply = await site.ask(one.url)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect((await site.http.inject('/robots.txt')).body).not.toContain('calendar')
  })

  test('answers HEAD like GET, without the body [CAL-50]', async () => {
    const site = await openSite()
    await site.book('2026-06-01', '2026-07-01')
    const { url } = await site.give()
    const head = await site.ask(url, {}, 'HEAD')
    const { 'x-request-id': _, date: __, ...headers } = (await site.ask(url)).headers
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers).toMatchObject(headers)
  })

  test('returns the same 404 for an unknown, rotated, removed or malformed token, and changes nothing [CAL-50]', async () => {
    const site = await openSite()
    const [rotated, removed] = [await site.give(), await site.give()]
    await site.calendars.rotateExport({ id: rotated.id, keepOld: false })
    await site.calendars.removeExport({ id: removed.id })
    const before = site.deps.dataVersion()
    const unknown = [
      '',
      'a',
      '%',
      '%zz',
      '%ff',
      'a%2fb',
      '..%2f..%2fdb',
      'x'.repeat(5000),
      "' or 1=1 --",
      '__proto__',
    ]
    const paths = unknown.map(token => `/calendar/${token.replaceAll(' ', '%20')}.ics`)
    const answers = []
    for (const path of [...paths, rotated.url, removed.url]) {
      const { body, headers, statusCode } = await site.ask(path)
      answers.push([statusCode, headers['content-type'], headers['x-robots-tag'], headers.etag, body])
    }
    const same = [404, 'text/plain; charset=utf-8', 'noindex', undefined, 'There is no calendar here.\n']
    expect(answers).toEqual(answers.map(() => same))
    expect(site.deps.dataVersion()).toBe(before)
  })

  test('is limited to 60 requests a minute per network address, counting GET, HEAD and guesses [CAL-50]', async () => {
    const site = await openSite({ env: { ...productionEnv, RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })
    const { url } = await site.give()
    const from = { 'x-forwarded-for': '2001:db8:1:2::1', host: 'condo.example' }
    const statuses = []
    for (let asked = 0; asked < 61; asked++) {
      const [path, method] =
        asked % 3 === 0 ? (['/calendar/guess.ics', 'GET'] as const) : ([url, 'HEAD'] as const)
      statuses.push((await site.ask(path, from, method)).statusCode)
    }
    expect(statuses.slice(0, 60)).not.toContain(429)
    expect(statuses[60]).toBe(429)
    const refused = await site.ask(url, { ...from, 'x-forwarded-for': '2001:db8:1:2:ffff::9' })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await site.ask(url, { ...from, 'x-forwarded-for': '2001:db8:1:3::1' })).statusCode).toBe(200)
  })

  test('is limited to 120 requests a minute for one calendar from all addresses together [CAL-50]', async () => {
    const site = await openSite({ env: { ...productionEnv, RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' } })
    const [one, other] = [await site.give(), await site.give()]
    const askFrom = (network: number, url: string) =>
      site.ask(url, { 'x-forwarded-for': `2001:db8:1:${network}::1`, host: 'condo.example' }, 'HEAD')
    const statuses = []
    for (let asked = 0; asked < 120; asked++) statuses.push((await askFrom(asked % 4, one.url)).statusCode)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const refused = await askFrom(5, one.url)
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await askFrom(5, other.url)).statusCode).toBe(200)
  })

  test('answers 503 while the clock is known to be wrong, and records no fetch [CAL-33]', async () => {
    const { advance, ask, give, overview, deps } = await openSite()
    const { id, url } = await give()
    advance(-hour)
    const refused = await ask(url)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '600'])
    expect(refused.body).not.toContain('VCALENDAR')
    expect((await ask('/calendar/unknown.ics')).statusCode).toBe(404)
    await deps.write(tx => tx.delete(events).run())
    expect(await overview(id)).toMatchObject({ lastFetchedAt: null })
    expect((await ask(url)).statusCode).toBe(200)
  })

  test('never appears in the log or the audit log [CAL-20]', async () => {
    const lines: string[] = []
    const out = new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(String(chunk))
        done()
      },
    })
    const site = await openSite({ replace: { log: pino({ level: 'trace' }, out) } })
    const { id, url } = await site.give()
    await site.calendars.editExport({ id, name: 'Another' })
    const { url: next } = await site.rotate({ id, keepOld: true })
    for (const address of [url, next]) {
      await site.ask(address)
      await site.ask(address, {}, 'HEAD')
      await site.ask(`${address}.ics`)
    }
    const sqlite = new SqliteDatabase(site.deps.config.databaseFile)
    sqlite.exec('alter table calendar_published rename to lost')
    // Changes of another process are noticed in the next turn.
    await yieldToEventLoop()
    expect((await site.ask(next)).statusCode).toBe(500)
    sqlite.exec('alter table lost rename to calendar_published')
    sqlite.close()
    await site.calendars.removeExport({ id })
    const kept = lines.join('') + JSON.stringify(site.deps.db.select().from(events).all())
    expect(kept).toContain('/calendar/:token.ics')
    expect(kept).toContain('calendar.export_removed')
    for (const address of [url, next])
      expect(kept).not.toContain(/calendar\/([\w-]+)\.ics/.exec(address)?.[1])
  })
})

describe('an unchanged calendar', () => {
  test.each(['platform', 'cleaning', 'owner'] as const)(
    'for %s stays byte-identical after a feed reading, a rotation and a day, and returns 304 for its ETag [CAL-54, CAL-55]',
    async scope => {
      const site = await openSite()
      const feed = await site.addFeed('Vrbo')
      await site.book('2026-06-01', '2026-07-01')
      const event = await site.addEvent(feed, '2026-08-01', '2026-08-05')
      await site.block('2026-03-01', '2026-09-03')
      const { id, url } = await site.give(scope)
      const first = await site.ask(url)
      site.advance(26 * hour)
      await site.deps.write(tx =>
        tx.update(calendarEvents).set({ uid: 'renamed' }).where(eq(calendarEvents.id, event)).run(),
      )
      const rotated = await site.rotate({ id, keepOld: true })
      for (const address of [url, rotated.url]) {
        const again = await site.ask(address)
        expect([again.body, again.headers.etag]).toEqual([first.body, first.headers.etag])
        const known = await site.ask(address, { 'if-none-match': `"x", ${first.headers.etag}` })
        expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', first.headers.etag])
      }
      await site.book('2026-10-01', '2026-11-01')
      const changed = await site.ask(url, { 'if-none-match': String(first.headers.etag) })
      expect([changed.statusCode, changed.headers.etag === first.headers.etag]).toEqual([200, false])
    },
  )

  test('keeps its UIDs after a restart, and increments SEQUENCE when dates change [CAL-54]', async () => {
    const site = await openSite()
    const { id } = await site.book('2026-06-01', '2026-07-01')
    const { url } = await site.give()
    const [before] = (await site.read(url)).events
    expect(before).toMatchObject({ SEQUENCE: '0', DTSTAMP: '20260304T170000Z' })
    const again = await openSite({
      env: { DATABASE_FILE: site.deps.config.databaseFile, UPLOADS_DIR: site.deps.config.uploadsDir },
    })
    again.advance(hour)
    await again.deps.write(tx =>
      tx.update(applications).set({ stayEndDate: '2026-07-05' }).where(eq(applications.id, id)).run(),
    )
    expect((await again.read(url)).events).toEqual([
      { ...before, SEQUENCE: '1', DTSTAMP: '20260304T180000Z', 'DTEND;VALUE=DATE': '20260705' },
    ])
  })
})

describe('a calendar for a platform', () => {
  test('contains events that end after today, with turnover nights, but none from the platform itself [CAL-49, CAL-53]', async () => {
    const site = await openSite()
    const [airbnb, vrbo] = [await site.addFeed('Airbnb'), await site.addFeed('Vrbo')]
    await site.addEvent(vrbo, '2026-02-20', '2026-03-04')
    await site.addEvent(airbnb, '2026-08-01', '2026-08-05')
    await site.addEvent(vrbo, '2026-08-11', '2026-08-15')
    const stays = async (url: string) =>
      (await site.read(url)).events.map(event => stay(event).slice(0, 2).join(' '))
    const { id, url } = await site.give('platform', airbnb)
    expect(await stays(url)).toEqual(['20260811 20260815'])
    expect(await stays((await site.give('platform', vrbo)).url)).toEqual(['20260801 20260805'])
    expect(await stays((await site.give()).url)).toEqual(['20260801 20260805', '20260811 20260815'])
    await site.setTurnover(2)
    expect(await stays(url)).toEqual(['20260218 20260306', '20260809 20260817'])
    await site.setTurnover(0)
    await site.calendars.editExport({ id, feedId: null })
    expect(await stays(url)).toEqual(['20260801 20260805', '20260811 20260815'])
  })
})

test("the cleaner's calendar lists own and imported departures from the last 30 days on, without turnover or blocks [CAL-49, CAL-56]", async () => {
  const site = await openSite()
  const feed = await site.addFeed('Vrbo')
  await site.setTurnover(2)
  await site.addEvent(feed, '2026-01-20', '2026-02-01')
  await site.addEvent(feed, '2026-01-20', '2026-02-02')
  await site.book('2026-06-01', '2026-07-01')
  await site.addEvent(feed, '2026-07-01', '2026-07-05')
  await site.addEvent(feed, '2026-07-20', '2026-07-25', { kind: 'block' })
  await site.block('2026-09-01', '2026-09-03')
  const { events, text } = await site.read((await site.give('cleaning')).url)
  expect(events.map(event => [...stay(event), event.DESCRIPTION, event.TRANSP])).toEqual([
    ['20260202', '20260203', 'Departure', 'Next arrival: Jun 1, 2026', 'TRANSPARENT'],
    ['20260701', '20260702', 'Departure and arrival', 'Next arrival: Jul 1, 2026', 'TRANSPARENT'],
    ['20260705', '20260706', 'Departure', 'No arrival planned', 'TRANSPARENT'],
  ])
  expect(text).not.toMatch(/Vrbo|Rivers|APP-/)
})

test("the owner's calendar shows guest names, feed names and block reasons, without turnover nights [CAL-49, CAL-57]", async () => {
  const site = await openSite()
  const [airbnb, vrbo] = [await site.addFeed('Airbnb'), await site.addFeed('Vrbo')]
  await site.setTurnover(2)
  const { applicationNumber } = await site.book('2026-06-01', '2026-07-01', {
    firstName: 'Zoë',
    lastName: 'O, Hara',
  })
  await site.addEvent(airbnb, '2026-02-01', '2026-03-04')
  await site.addEvent(airbnb, '2026-08-01', '2026-08-05')
  await site.addEvent(vrbo, '2026-08-11', '2026-08-15')
  await site.block('2026-09-01', '2026-09-02', 'Plumber')
  await site.block('2026-09-02', '2026-09-03', 'Painting')
  const { events } = await site.read((await site.give('owner')).url)
  expect(events.map(event => [...stay(event), event.TRANSP])).toEqual([
    ['20260601', '20260701', `Zoë O, Hara (${applicationNumber})`, 'TRANSPARENT'],
    ['20260801', '20260805', 'Airbnb', 'TRANSPARENT'],
    ['20260811', '20260815', 'Vrbo', 'TRANSPARENT'],
    ['20260901', '20260903', 'Plumber, Painting', 'TRANSPARENT'],
  ])
})

test('calendars for platforms and cleaners contain no personal data or amounts, and the owner’s only names [CAL-52, CAL-56, CAL-57]', async () => {
  const site = await openSite()
  const random = testRandom()
  // Only letters, so that they cannot contain one of the numbers below by chance.
  const word = () => `Q${Array.from({ length: 12 }, () => 'ghjkmnpqrstuvwyz'[random.below(16)]).join('')}`
  const [first, last, street, city, guest, reason, feedName, otherUid] = Array.from({ length: 8 }, word)
  const booking = await site.book('2026-06-01', '2026-07-01', {
    firstName: first,
    lastName: last,
    phone: '(850) 555-7391',
    address: { street: `${street}`, city: `${city}`, state: 'AL', zipCode: '36697' },
    additionalGuests: [{ firstName: `${guest}`, lastName: `${guest}`, isAdult: true }],
  })
  await site.deps.write(tx =>
    tx
      .update(applications)
      .set({ rentCents: 7_654_321, depositCents: 1_234_567 })
      .where(eq(applications.id, booking.id))
      .run(),
  )
  const feed = await site.addFeed(`${feedName}`)
  const event = await site.addEvent(feed, '2026-08-01', '2026-08-05', { uid: `${otherUid}` })
  await site.block('2026-09-01', '2026-09-03', reason)
  const { email } = site.deps.db.select().from(applications).get() ?? {}
  const never = [street, city, guest, otherUid, email, event, feed, booking.id]
  const numbers = ['7391', '36697', '7654', '76,54', '1234', '12,34']
  const names = [first, last, booking.applicationNumber, feedName, reason]
  for (const scope of ['platform', 'cleaning', 'owner'] as const) {
    const { url } = await site.give(scope)
    const bytes = (await site.ask(url)).rawPayload
    for (const secret of scope === 'owner' ? never : [...never, ...names])
      expect(bytes.includes(String(secret)), `${scope}: ${secret}`).toBe(false)
    // A UID can contain any digits.
    const told = bytes.toString().replaceAll(/^UID:.*(\r\n .*)*/gm, '')
    for (const number of numbers) expect(told, scope).not.toContain(number)
    if (scope === 'owner') for (const name of names) expect(bytes.includes(String(name)), name).toBe(true)
  }
})

test('calendars with a stay until the last date, and an event that began before 1900, can be read [CAL-53, CAL-56]', async () => {
  const site = await openSite()
  const { id } = await site.book('2026-06-01', '2026-07-01')
  await site.deps.write(tx =>
    tx
      .update(applications)
      .set({ stayStartDate: '9999-12-30', stayEndDate: '9999-12-31' })
      .where(eq(applications.id, id))
      .run(),
  )
  await site.addEvent(await site.addFeed('Vrbo'), '1899-12-31', '2026-03-06')
  for (const turnover of [0, 2]) {
    await site.setTurnover(turnover)
    for (const scope of ['platform', 'cleaning', 'owner'] as const)
      expect((await site.ask((await site.give(scope)).url)).statusCode, scope).toBe(200)
  }
})

describe('a fetch', () => {
  test('is recorded with its time and user agent, even when it returns 304, and changes nothing else; HEAD and a browser are not [CAL-59]', async () => {
    const site = await openSite()
    await site.book('2026-06-01', '2026-07-01')
    const { id, url } = await site.give()
    const noted = async () => {
      const { lastAgent, lastFetchedAt } = (await site.overview(id)) ?? {}
      return [lastFetchedAt, lastAgent]
    }
    await site.ask(url, { 'user-agent': 'Looker/1' }, 'HEAD')
    await site.ask(url, { 'user-agent': 'Mozilla/5.0', accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' })
    expect(await noted()).toEqual([null, null])
    const { headers } = await site.ask(url, { 'user-agent': `\u0007Air\u0085bnb ${'x'.repeat(200)}` })
    expect(await noted()).toEqual(['2026-03-04T17:00:00.000Z', `Airbnb ${'x'.repeat(93)}`])
    const before = dump(site)
    site.advance(hour)
    const same = await site.ask(url, { 'user-agent': 'Vrbo', 'if-none-match': String(headers.etag) })
    expect(same.statusCode).toBe(304)
    expect(await noted()).toEqual(['2026-03-04T18:00:00.000Z', 'Vrbo'])
    expect(dump(site)).toEqual(before)
    site.advance(hour)
    await site.ask(url, { 'user-agent': '' })
    expect(await noted()).toEqual(['2026-03-04T19:00:00.000Z', null])
  })

  test('writes only if something must be published, and its time at most once a minute [CAL-59]', async () => {
    const site = await openSite()
    await site.book('2026-06-01', '2026-07-01')
    const { id, url } = await site.give()
    const [other, version] = [await site.give('owner'), () => site.deps.dataVersion()]
    await site.ask(url)
    const before = version()
    site.advance(59_999)
    const [again] = await Promise.all([site.ask(url), site.ask(url), site.ask(other.url, {}, 'HEAD')])
    expect([again.statusCode, version()]).toEqual([200, before])
    expect((await site.overview(id))?.lastFetchedAt).toBe('2026-03-04T17:00:00.000Z')

    site.advance(1)
    await Promise.all(Array.from({ length: 5 }, () => site.ask(url)))
    const stored = version()
    expect(Number(stored.split(' ')[0]) - Number(before.split(' ')[0])).toBe(1)
    expect((await site.overview(id))?.lastFetchedAt).toBe('2026-03-04T17:01:00.000Z')

    // Otherwise the platform would not be known to have the new nights.
    site.advance(1)
    await site.book('2026-08-01', '2026-09-01')
    await site.ask(other.url, {}, 'HEAD')
    await site.ask(url)
    expect((await site.overview(id))?.lastFetchedAt).toBe('2026-03-04T17:01:00.001Z')
  })

  test('that begins before a change is not recorded as one after it [CAL-47, CAL-59]', async () => {
    const site = await openSite()
    await site.book('2026-06-01', '2026-07-01')
    const { id, url } = await site.give()
    await site.ask(url)
    site.advance(1000)
    const [file] = await Promise.all([site.ask(url), site.block('2026-09-01', '2026-09-03')])
    await site.ask(url, {}, 'HEAD')
    const [, blocked] = site.published()
    const { lastFetchedAt } = (await site.overview(id)) ?? {}
    expect(file.body.includes('20260901')).toBe(`${blocked?.changedAt}` <= `${lastFetchedAt}`)
  })

  test('that is being answered when a change comes is not recorded as one after it [CAL-47, CAL-59]', async () => {
    const site = await openSite()
    const { id, url } = await site.give()
    const token = /([^/]+)\.ics$/.exec(url)?.[1] ?? ''
    const slow = await readCalendarFile(site.deps, token, 'Airbnb')
    await site.block('2026-09-01', '2026-09-03')
    await site.ask(url, {}, 'HEAD')
    const [blocked] = site.published()
    await slow?.answered()
    const { lastFetchedAt } = (await site.overview(id)) ?? {}
    expect(lastFetchedAt).toBe('2026-03-04T17:00:00.000Z')
    expect(`${blocked?.changedAt}` > `${lastFetchedAt}`).toBe(true)
    site.advance(hour)
    await site.ask(url, { 'user-agent': 'Vrbo' })
    site.advance(60_000)
    await slow?.answered()
    expect(await site.overview(id)).toMatchObject({
      lastFetchedAt: '2026-03-04T18:00:00.000Z',
      lastAgent: 'Vrbo',
    })
  })

  test('replaces one from a time when the clock was ahead [CAL-59]', async () => {
    const site = await openSite()
    const { id, url } = await site.give()
    await site.deps.write(tx =>
      tx.update(calendarExports).set({ lastFetchedAt: '2026-03-05T17:00:00.000Z' }).run(),
    )
    await site.ask(url)
    expect((await site.overview(id))?.lastFetchedAt).toBe('2026-03-04T17:00:00.000Z')
  })

  test('that ends after its export was given to another feed, or after the clock was set back, is not recorded [CAL-47, CAL-59]', async () => {
    const site = await openSite()
    const [feed, other] = [await site.addFeed('Airbnb'), await site.addFeed('Vrbo')]
    const { id, url } = await site.give('platform', feed)
    const read = () => readCalendarFile(site.deps, /([^/]+)\.ics$/.exec(url)?.[1] ?? '', 'Airbnb')
    const before = await read()
    site.advance(-hour)
    await before?.answered()
    site.advance(hour)
    expect(await site.overview(id)).toMatchObject({ lastFetchedAt: null })
    const slow = await read()
    await site.deps.write(tx =>
      tx.update(calendarExports).set({ feedId: other }).where(eq(calendarExports.id, id)).run(),
    )
    await slow?.answered()
    expect(await site.overview(id)).toMatchObject({ lastFetchedAt: null })
  })

  test('without an answer is not recorded: an error, or a refusal because the site is busy [CAL-59]', async () => {
    const site = await openSite()
    const { id, url } = await site.give()
    const feed = await site.addFeed('Airbnb')
    const noted = async () => (await site.overview(id))?.lastFetchedAt
    const wrong = await site.addEvent(feed, '2026-06-01', '2026-06-31')
    expect((await site.ask(url)).statusCode).toBe(500)
    expect(await noted()).toBeNull()
    await site.deps.write(tx => tx.delete(calendarEvents).where(eq(calendarEvents.id, wrong)).run())
    for (let n = 0; n < 400; n++) await site.addEvent(feed, '2026-06-01', addDays('2026-06-02', n))
    // Visitors from two networks whose responses have not been sent yet.
    const unsent = ['203.0.113.7', '198.51.100.7'].map(ip => {
      const raw = new EventEmitter()
      const [request, reply] = [{ ip, socket: {} } as FastifyRequest, { raw } as unknown as FastifyReply]
      enterUnsent(request, reply, 8 * 1024 * 1024)
      return raw
    })
    expect((await site.ask(url)).statusCode).toBe(503)
    expect(await noted()).toBeNull()
    for (const raw of unsent) raw.emit('close')
    expect((await site.ask(url)).statusCode).toBe(200)
    expect(await noted()).toBe('2026-03-04T17:00:00.000Z')
  })

  test('detects changes since the last fetch without a poll tick [CAL-47, CAL-59]', async () => {
    const site = await openSite()
    const feed = await site.addFeed('Airbnb')
    const { url } = await site.give('platform', feed)
    await site.ask(url)
    site.advance(hour)
    await site.book('2026-06-01', '2026-07-01')
    await site.ask(url, {}, 'HEAD')
    expect(site.published()).toMatchObject([{ changedAt: '2026-03-04T18:00:00.000Z' }])
    site.advance(hour)
    await site.ask(url)
    expect(site.published()).toMatchObject([{ changedAt: '2026-03-04T18:00:00.000Z', sequence: 0 }])
  })
})
