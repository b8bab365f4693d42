import { pino } from 'pino'
import { expect, test } from 'vitest'
import { signUpAdmin } from '../../../testing/build-account.ts'
import { calendarOf, feedApp } from '../../../testing/calendar-host.ts'
import { everyRow } from '../../../testing/every-row.ts'

const one = { uid: 'one', start: '2026-06-01', end: '2026-06-08' }

test('returns 404 for unknown ids, the events of a calendar, and 409 for a calendar that is already read [CAL-12]', async () => {
  const app = await feedApp()
  const { addFeed, eventRows, host, http } = app
  host.serveEvents(one)
  const id = await addFeed()
  const event = eventRows()[0]?.id ?? ''
  const owner = await signUpAdmin(app)
  host.requests.length = 0
  const paths: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object][] = [
    ['PUT', `/feeds/${id}`, { url: host.url('/new.ics') }],
    ['POST', `/feeds/${id}/fetch`],
    ['POST', `/feeds/${id}/accept-empty`],
    ['DELETE', `/feeds/${id}`],
    ['GET', `/events?feedId=${id}&all=true`],
    ['PUT', `/events/${event}`, { released: true }],
    ['PUT', '/conflicts/nowhere', { acknowledged: true }],
  ]
  const ask = async ([method, path, body]: (typeof paths)[number], token?: string) => {
    const headers = token ? { authorization: `Bearer ${token}` } : {}
    const url = `/api/calendar/admin${path}`
    const answer = await http.inject({ method, url, headers, ...(body && { body }) })
    return { status: answer.statusCode, body: answer.json() }
  }
  const before = everyRow(app)
  for (const [method, path, body] of paths) {
    const nowhere = path.replaceAll(id, 'nowhere').replaceAll(event, 'nowhere')
    expect((await ask([method, nowhere, body], owner.token)).status).toBe(404)
  }
  expect(everyRow(app).calendar_feeds).toBe(before.calendar_feeds)
  expect(everyRow(app).calendar_events).toBe(before.calendar_events)
  expect(host.requests).toEqual([])
  for (const query of [`?feedId=${id}&all=true`, '?all=false', ''])
    expect(await ask(['GET', `/events${query}`], owner.token)).toMatchObject({
      status: 200,
      body: { events: [{ feedName: 'Airbnb', startDate: one.start }] },
    })
  const twice = await ask(['POST', '/feeds', { name: 'Again', url: host.url('/Airbnb.ics') }], owner.token)
  expect(twice).toMatchObject({
    status: 409,
    body: { error: 'This calendar is already read, as Airbnb.', fields: { url: expect.any(String) } },
  })
})

test('stores only UIDs, dates and kinds of a calendar, and logs neither its texts nor its address [CAL-20]', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const app = await feedApp({ replace: { log } })
  const { http, host } = app
  const owner = await signUpAdmin(app)
  const secrets = [
    'Quackenbush',
    '5550199',
    'HMABCDEF12',
    'wheelchair',
    'geraldine@guest.example',
    'not-a-date',
  ]
  const body = calendarOf({ ...one, summary: 'Reserved - Geraldine Quackenbush' })
    .replace(
      'SUMMARY',
      [
        'DESCRIPTION:Reservation HMABCDEF12\\nPhone Number (Last 4 Digits): 5550199',
        'LOCATION:needs a wheelchair',
        'ATTENDEE:mailto:geraldine@guest.example',
        'SUMMARY',
      ].join('\r\n'),
    )
    .replace('END:VCALENDAR', 'BEGIN:VEVENT\r\nUID:bad\r\nDTSTART:not-a-date\r\nEND:VEVENT\r\nEND:VCALENDAR')
  host.serve({ body })
  const token = 'tok-3f9a2c'
  const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, sent?: object) => {
    const headers = { authorization: `Bearer ${owner.token}` }
    const url = `/api/calendar/admin${path}`
    return (await http.inject({ method, url, headers, ...(sent && { body: sent }) })).json()
  }
  const added = await call('POST', '/feeds', { name: 'Airbnb', url: host.url(`/${token}.ics`) })
  expect(added.result).toMatchObject({ added: 1, unreadable: 1 })
  const { id } = added.feed
  const answers = [added, await call('GET', ''), await call('GET', '/events?all=true')]
  for (const answer of [
    { status: 500 },
    { status: 404 },
    { body: '<html>' },
    { status: 302, headers: { location: '/' } },
  ]) {
    host.serve(answer)
    answers.push(await call('POST', `/feeds/${id}/fetch`))
    answers.push(await call('POST', '/feeds', { name: 'Vrbo', url: host.url(`/${token}-2.ics`) }))
    answers.push(await call('PUT', `/feeds/${id}`, { url: host.url(`/${token}-3.ics`) }))
  }
  answers.push(await call('POST', '/feeds', { name: 'Local', url: `https://10.0.0.7/${token}` }))
  const told = JSON.stringify(answers)
  for (const secret of secrets) expect(told).not.toContain(secret)
  for (const [table, rows] of Object.entries(everyRow(app)))
    for (const secret of [...secrets, token]) expect(`${table} ${rows}`).not.toContain(secret)
  const logged = lines.join('')
  expect(logged).toContain('/api/calendar/admin/feeds')
  for (const secret of [...secrets, token, host.origin]) expect(logged).not.toContain(secret)
})

test('without calendars, the page is empty, and dashboard and availability do not mention them [CAL-01]', async () => {
  const { admin, as, calendars } = await feedApp()
  expect(await calendars.overview()).toEqual({
    feeds: [],
    exports: [],
    conflicts: [],
    moreConflicts: 0,
    notices: [],
  })
  expect(await calendars.events({})).toEqual({ events: [], more: 0 })
  const { notices } = await as(admin).notices.list()
  expect(notices.filter(({ id }) => id.startsWith('calendar'))).toEqual([])
  const range = { startDate: '2026-06-01', endDate: '2026-06-30' }
  expect(await as(admin).availability.adminRange(range)).toEqual({
    availability: [],
    bookings: [],
    promises: [],
  })
})
