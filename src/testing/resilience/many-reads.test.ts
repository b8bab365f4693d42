import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '../../domain/common/dates.ts'
import { type Account, openPortal, type Portal } from '../security/portal.ts'
import { highestMb, smallMachine } from './small-machine.ts'

const firstDay = '2030-01-01'
const days = 800
let portal: Portal
let tenant: Account
beforeAll(async () => {
  portal = await openPortal()
  tenant = await portal.tenant()
  const block = `with recursive days(n) as (select 0 union all select n + 1 from days where n < ${days - 1})
    insert into availability (date, is_available, reason, updated_at)
    select date('${firstDay}', n || ' days'), 0, 'Painting', '2026-01-01T00:00:00.000Z' from days`
  portal.database(db => db.exec(block))
  expect(smallMachine.NODE_OPTIONS).toContain('--max-old-space-size=')
  await portal.site.restart(smallMachine)
})
afterAll(() => portal.close())

/** The address of a batch of so many calendars, different for each n. */
function calendars(count: number, n: number): string {
  const ranges = Array.from({ length: count }, (_, at) => [
    at,
    { startDate: firstDay, endDate: addDays(firstDay, days - 1) },
  ])
  const input = encodeURIComponent(JSON.stringify(Object.fromEntries(ranges)))
  return `/trpc/${Array(count).fill('availability.range').join()}?batch=1&input=${input}&n=${n}`
}

/** The status of a response over a connection of its own, after reading all of it. */
const read = (path: string) =>
  new Promise<number | string>(resolve => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    const headers = { 'accept-encoding': 'gzip' }
    get({ host: '127.0.0.1', port: portal.port, path, headers, agent: false }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', failed)
    }).on('error', failed)
  })

const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at)

async function readInTurn(paths: string[]) {
  const statuses = new Set<number | string>()
  const lanes = Array.from({ length: 4 }, async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) statuses.add(await read(path))
  })
  await Promise.all(lanes)
  return [...statuses]
}

test('stays under 256 MB however many different calendars visitors ask for, at once or in turn, and keeps answering others', async () => {
  const { token } = tenant
  let isOver = false
  const answers = new Set<number | string>()
  const slowest: Record<string, number> = {}
  const others = ['/api/health', '/api/application/status'].map(async path => {
    while (!isOver) {
      const asked = performance.now()
      answers.add(await portal.call('GET', path, { token }).then(({ status }) => status, String))
      slowest[path] = Math.max(slowest[path] ?? 0, performance.now() - asked)
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })
  const statuses = [
    ...(await Promise.all(numbers(150).map(n => read(calendars(10, n))))),
    ...(await Promise.all(numbers(100, 150).map(n => read(calendars(1, n))))),
    ...(await readInTurn(numbers(150, 250).map(n => calendars(10, n)))),
  ]
  isOver = true
  await Promise.all(others)
  console.warn(`at most ${highestMb(portal.site.pid() ?? 0)} MB, slowest of the others`, slowest)
  expect(answers).toEqual(new Set([200]))
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(highestMb(portal.site.pid() ?? 0)).toBeLessThan(256)
}, 240_000)
