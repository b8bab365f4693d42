import { expect, test } from 'vitest'
import { calendarExports, events } from '../../../../db/schema.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'
import { testApp } from '../../../testing/test-app.ts'
import { createGuardedFetch, type GuardedFetch } from '../../lib/guarded-fetch.ts'

const week = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }
const needsHttps = 'Please use an address that begins with https://'
const privateNetwork = 'This address leads to a private network and is not read.'
const sentences = { too_large: 'too large', truncated: 'broken off', unreadable: 'no calendar' }

/** A site that must not fetch local addresses; records the URLs that it would fetch. */
async function productionLike(fetchCalendar?: GuardedFetch) {
  const asked: string[] = []
  const count: GuardedFetch = async ({ url }) => {
    asked.push(url)
    return { kind: 'failed', reason: 'timeout', message: 'nobody is asked in this test' }
  }
  const app = await testApp({
    env: { RATE_LIMITS: 'off', ORIGIN: 'https://condo.example' },
    replace: { fetchCalendar: fetchCalendar ?? count },
  })
  const { calendars } = app.as(await app.makeAdmin())
  return { ...app, asked, calendars }
}
const atUrl = (message: string, code = 'BAD_REQUEST') => ({
  code,
  message,
  cause: { fields: { url: message } },
})

test('adds a calendar, reads it at once and guesses its platform [CAL-02, CAL-08, CAL-27]', async () => {
  const { advance, calendars, host } = await feedApp()
  host.serveEvents(week)
  const { feed, result } = await calendars.addFeed({ name: '  Airbnb ', url: ` ${host.url()}#mine ` })
  expect(result).toEqual({
    outcome: 'read',
    added: 1,
    moved: 0,
    missing: 0,
    ended: 0,
    unreadable: 0,
    error: null,
  })
  expect(feed).toMatchObject({
    name: 'Airbnb',
    host: new URL(host.url()).host,
    provider: 'other',
    mode: 'all',
    state: 'ok',
  })
  expect(feed).toMatchObject({ eventCount: 1, lastError: null, failures: 0 })
  advance(1)
  const other = await calendars.addFeed({ name: 'Vrbo', url: host.url('/2'), provider: 'vrbo' })
  expect(other.feed).toMatchObject({ provider: 'vrbo', mode: 'reservations' })
  expect((await calendars.overview()).feeds.map(({ name }) => name)).toEqual(['Airbnb', 'Vrbo'])
  expect(host.requests).toHaveLength(2)
})

test('treats webcal as https, and guesses the platform from the host [CAL-02, CAL-26]', async () => {
  const { asked, calendars } = await productionLike()
  const { feed } = await calendars.addFeed({ name: 'Airbnb', url: 'webcal://www.airbnb.com/calendar/1.ics' })
  expect(feed).toMatchObject({ provider: 'airbnb', mode: 'reservations' })
  expect(asked).toEqual(['https://www.airbnb.com/calendar/1.ics'])
})

test.each([
  ['', 'A name is required'],
  ['a'.repeat(61), '60 characters'],
])('refuses the name %j [CAL-02]', async (name, message) => {
  const { asked, calendars } = await productionLike()
  const adding = calendars.addFeed({ name, url: 'https://host.example/1.ics' })
  await expect(adding).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(message),
  })
  expect(asked).toEqual([])
})

test.each([
  ['http://host.example/1.ics', needsHttps],
  ['ftp://host.example/1.ics', needsHttps],
  ['file:///etc/passwd', needsHttps],
  ['host.example/1.ics', needsHttps],
  ['https://owner:secret@host.example/1.ics', 'Please use an address without user name and password'],
  ['https://127.0.0.1/1.ics', privateNetwork],
  ['https://2130706433/1.ics', privateNetwork],
  ['https://[::ffff:10.0.0.7]/1.ics', privateNetwork],
  ['https://169.254.169.254/latest/meta-data', privateNetwork],
  ['https://router.local/1.ics', privateNetwork],
  ['https://condo.example/calendar/abc.ics', 'This is a calendar of this site.'],
  ['webcal://CONDO.example:443//calendar/abc.ics', 'This is a calendar of this site.'],
])(
  'refuses the address %s on adding and editing, and sends nothing [CAL-03, CAL-04, CAL-07]',
  async (url, message) => {
    const { asked, calendars } = await productionLike()
    const { feed } = await calendars.addFeed({ name: 'Good', url: 'https://good.example/1.ics' })
    const before = await calendars.overview()
    asked.length = 0
    await expect(calendars.addFeed({ name: 'Airbnb', url })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(message),
    })
    await expect(calendars.editFeed({ id: feed.id, url })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(message),
    })
    expect(await calendars.overview()).toEqual(before)
    expect(asked).toEqual([])
  },
)

test('refuses an address of more than 2,000 characters [CAL-02]', async () => {
  const { calendars } = await productionLike()
  const address = (length: number) => 'https://host.example/'.padEnd(length, 'a')
  const message = expect.stringContaining('Please use at most 2,000 characters')
  await expect(calendars.addFeed({ name: 'Airbnb', url: address(2001) })).rejects.toMatchObject({ message })
  expect((await calendars.addFeed({ name: 'Airbnb', url: address(2000) })).feed.state).toBe('new')
})

test('refuses a host with a local address among its addresses, also on a later reading [CAL-04]', async () => {
  let addresses = ['93.184.215.14', '10.0.0.7']
  let connections = 0
  const { calendars } = await productionLike(
    createGuardedFetch({
      sentences,
      lookup: async () => addresses,
      connect: () => {
        connections += 1
        throw new Error('not in this test')
      },
    }),
  )
  const input = { name: 'Airbnb', url: 'https://host.example/1.ics' }
  await expect(calendars.addFeed(input)).rejects.toMatchObject(atUrl(privateNetwork))
  expect((await calendars.overview()).feeds).toEqual([])
  addresses = []
  const { feed } = await calendars.addFeed(input)
  expect(feed.lastError).toBe('host.example could not be reached.')
  addresses = ['10.0.0.7']
  expect((await calendars.readNow({ id: feed.id })).result.error).toBe(privateNetwork)
  expect(connections).toBe(0)
})

test('follows three redirects, and checks each like the first address [CAL-05, CAL-06]', async () => {
  const { calendars, host } = await feedApp()
  const other = await feedApp()
  const to = (location: string) => ({ status: 302, headers: { location } })
  for (const [path, next] of [
    ['/4', '/3'],
    ['/3', '/2'],
    ['/2', '/1'],
  ])
    host.serve(to(host.url(next)), path)
  host.serve(to(host.url('/end')), '/1')
  const add = (path: string) => calendars.addFeed({ name: `From ${path}`, url: host.url(path) })
  expect((await add('/3')).result.outcome).toBe('read')
  await expect(add('/4')).rejects.toMatchObject(atUrl('This address redirects too often.'))
  host.serve(to(other.host.url()), '/elsewhere')
  await expect(add('/elsewhere')).rejects.toMatchObject(atUrl(needsHttps))
  host.serve(to('https://192.168.1.1/admin'), '/router')
  await expect(add('/router')).rejects.toMatchObject(atUrl(privateNetwork))
  expect(other.host.requests).toEqual([])
})

test.each([
  ['127.0.0.1 answered with 404.', { status: 404 }],
  ['127.0.0.1 answered with 403.', { status: 403 }],
  [
    'This address does not answer with a calendar. Copy its export address, which usually ends in .ics.',
    { body: '<!doctype html><title>Log in</title>' },
  ],
  ['This calendar breaks off in the middle.', { body: 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n' }],
  ['This calendar is larger than 1 MB.', { body: calendarOf().padEnd(1024 * 1024 + 1) }],
])(
  'refuses an invalid calendar at the address field and stores nothing: %s [CAL-08, CAL-14]',
  async (message, answer) => {
    const { addFeed, calendars, deps, eventRows, host } = await feedApp()
    host.serve(answer)
    await expect(addFeed()).rejects.toMatchObject(atUrl(message))
    expect((await calendars.overview()).feeds).toEqual([])
    expect(eventRows()).toEqual([])
    expect(deps.db.select().from(events).all()).toEqual([])
  },
)

test('stores a calendar whose host is temporarily unavailable, to read it later [CAL-09]', async () => {
  const { calendars, host } = await feedApp()
  host.serve({ status: 503, headers: { 'retry-after': '7200' } })
  const { feed, result } = await calendars.addFeed({ name: 'Airbnb', url: host.url() })
  const error = '127.0.0.1 answered with 503.'
  expect(result).toMatchObject({ outcome: 'failed', error })
  expect(feed).toMatchObject({ state: 'new', lastError: error, failures: 1, lastSuccessAt: null })
  expect(feed.nextAttemptAt).toBe('2026-03-04T19:00:00.000Z')
  await host.close()
  const again = await calendars.readNow({ id: feed.id })
  expect(again.feed).toMatchObject({
    state: 'new',
    lastError: '127.0.0.1 could not be reached.',
    failures: 2,
  })
})

test('refuses a duplicate address and names its calendar, also when two are added at once [CAL-07]', async () => {
  const { addFeed, calendars, host } = await feedApp()
  await addFeed()
  const message = 'This calendar is already read, as Airbnb.'
  const again = calendars.addFeed({
    name: 'Again',
    url: `${host.origin.replace('http', 'HTTP')}/Airbnb.ics#again`,
  })
  await expect(again).rejects.toMatchObject(atUrl(message, 'CONFLICT'))
  const other = await calendars.addFeed({ name: 'Other', url: host.url('/other.ics') })
  const edited = calendars.editFeed({ id: other.feed.id, url: host.url('/Airbnb.ics') })
  await expect(edited).rejects.toMatchObject(atUrl(message, 'CONFLICT'))
  const twice = await Promise.allSettled([1, 2].map(() => addFeed('Twice')))
  expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await calendars.overview()).feeds).toHaveLength(3)
  await calendars.removeFeed({ id: other.feed.id })
  expect((await calendars.addFeed({ name: 'Other', url: host.url('/other.ics') })).feed.name).toBe('Other')
})

test('allows at most 20 calendars, also when two are added at once [CAL-07]', async () => {
  const { addFeed, calendars, host } = await feedApp()
  for (let at = 1; at <= 19; at += 1) await addFeed(`Feed ${at}`)
  const both = await Promise.allSettled([addFeed('Feed 20'), addFeed('Feed 21')])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const asked = host.requests.length
  await expect(addFeed('Feed 22')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'You already import 20 calendars. Please remove one first.',
  })
  expect((await calendars.overview()).feeds).toHaveLength(20)
  expect(host.requests).toHaveLength(asked)
})

test('records the owner’s actions in the audit log, without addresses [CAL-20, CAL-62]', async () => {
  const { calendars, deps, eventRows, host } = await feedApp()
  host.serveEvents(week)
  const { feed } = await calendars.addFeed({ name: 'Airbnb', url: host.url('/secret-token.ics') })
  const { id } = feed
  await calendars.editFeed({ id, name: 'Beach', active: false })
  await calendars.editFeed({ id, url: host.url('/other-secret.ics') })
  await calendars.editFeed({ id })
  const [event] = eventRows()
  await calendars.releaseEvent({ id: event?.id ?? '', released: true })
  await calendars.releaseEvent({ id: event?.id ?? '', released: false })
  await calendars.removeFeed({ id })
  const told = deps.db.select().from(events).all()
  expect(told.map(({ detail, kind }) => [kind, detail])).toEqual([
    ['calendar.feed_added', { name: 'Airbnb', provider: 'other', mode: 'all' }],
    ['calendar.feed_edited', { name: 'Beach', active: false }],
    ['calendar.feed_edited', { address: 'changed' }],
    ['calendar.event_released', { feed: 'Beach', start: week.start, end: week.end }],
    ['calendar.event_taken_back', { feed: 'Beach', start: week.start, end: week.end }],
    ['calendar.feed_removed', { name: 'Beach', freedNights: 7 }],
  ])
  expect(told.every(({ actorRole }) => actorRole === 'admin')).toBe(true)
  expect(JSON.stringify(told)).not.toMatch(/secret|127\.0\.0\.1/)
  expect(deps.db.select().from(calendarExports).all()).toEqual([])
})

test.each(['https://condo.example/c%61lendar/a.ics', 'https://condo.example./%43alendar/a.ics'])(
  'recognizes the site’s own calendar in any spelling of its address: %s [CAL-07]',
  async url => {
    const { asked, calendars } = await productionLike()
    await expect(calendars.addFeed({ name: 'Own', url })).rejects.toMatchObject(
      atUrl('This is a calendar of this site.'),
    )
    expect(asked).toEqual([])
  },
)
