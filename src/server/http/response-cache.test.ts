import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { gunzipSync } from 'node:zlib'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Tx } from '../../../db/open.ts'
import { projectRoot } from '../../../db/project-root.ts'
import { availability, rates } from '../../../db/schema.ts'
import { addDays } from '../../domain/common/dates.ts'
import { signUp, signUpAdmin } from '../../testing/build-account.ts'
import { dates, makePending } from '../../testing/build-application.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { type TestApp, testApp, testOrigin } from '../../testing/test-app.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import { writeOpening } from '../kernel/opening.ts'

const span = { startDate: '2026-06-01', endDate: '2026-07-31' }
const day = '2026-06-10'
const input = (value: unknown) => `input=${encodeURIComponent(JSON.stringify(value))}`
const ratesPath = '/api/rates'
const daysPath = `/api/availability?${new URLSearchParams(span)}`
/** All URLs of the public reads: REST, single procedures and batches. */
const publicUrls = [
  ratesPath,
  daysPath,
  '/trpc/rates.list',
  `/trpc/availability.range?${input(span)}`,
  `/trpc/rates.list,availability.range?batch=1&${input({ 1: span })}`,
  `/trpc/availability.range,rates.list?batch=1&${input({ 0: span })}`,
]

type ReadData = { rates?: { period: string }[]; availability?: { date: string; reason: string }[] }
type RequestOptions = { token?: string; etag?: string; method?: 'GET' | 'HEAD' }

const headersOf = ({ token, etag }: RequestOptions) => ({
  ...(token && { authorization: `Bearer ${token}` }),
  ...(etag && { 'if-none-match': etag }),
})

async function ask(app: TestApp, url: string, options: RequestOptions = {}) {
  const answer = await app.http.inject({ method: options.method ?? 'GET', url, headers: headersOf(options) })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body }
}

/** The response's ETag. */
async function fetchEtag(app: TestApp, url: string, options: RequestOptions = {}): Promise<string> {
  const { status, headers } = await ask(app, url, options)
  expect([status, typeof headers.etag]).toEqual([200, 'string'])
  return String(headers.etag)
}

/** The rates and days in a response of any transport. */
function parseData(text: string): ReadData {
  const answer = JSON.parse(text)
  const parts: ReadData[] = Array.isArray(answer)
    ? answer.map(one => one.result.data)
    : [answer.result?.data ?? answer]
  return Object.assign({}, ...parts)
}

/** Expects every URL to return these period names and taken nights. */
async function expectEveryUrlToReturn(app: TestApp, periods: string[], taken: Record<string, string>) {
  for (const url of publicUrls) {
    const { status, body } = await ask(app, url)
    expect(status, url).toBe(200)
    const data = parseData(body)
    if (data.rates)
      expect(
        data.rates.map(rate => rate.period),
        url,
      ).toEqual(periods)
    if (data.availability)
      expect(Object.fromEntries(data.availability.map(({ date, reason }) => [date, reason])), url).toEqual(
        taken,
      )
  }
}

/** Writes past `write`, on the server's own connection, so that the data version does not change. */
const writeUncounted = (app: TestApp) => app.deps.db as Tx

/** A separate connection to the same database. */
function otherConnection<T>(app: TestApp, use: (sqlite: SqliteDatabase.Database) => T): T {
  const sqlite = new SqliteDatabase(app.deps.config.databaseFile, { timeout: 5_000 })
  try {
    return use(sqlite)
  } finally {
    sqlite.close()
  }
}

test('serves a repeated read without a query, also whether the site is open', async () => {
  const app = await testApp({ env: productionEnv })
  const admin = await app.makeAdmin()
  await app.as(admin).rates.create(buildRate())
  await expectEveryUrlToReturn(app, ['Summer'], {})
  writeUncounted(app).update(rates).set({ period: 'Unseen' }).run()
  writeOpening(writeUncounted(app), 'closed')
  await expectEveryUrlToReturn(app, ['Summer'], {})
  writeOpening(writeUncounted(app), 'open')
  expect(parseData((await ask(app, `${ratesPath}?never=asked`)).body).rates).toMatchObject([
    { period: 'Unseen' },
  ])
  await app.as(admin).availability.setDate({ date: day, isAvailable: false, reason: 'Painters' })
  await expectEveryUrlToReturn(app, ['Unseen'], { [day]: 'Painters' })
})

test('however many addresses are asked for, keeps only the last of them, and everything else that is cached', async () => {
  const app = await testApp()
  const { rate } = await app.as(await app.makeAdmin()).rates.create(buildRate())
  let computed = 0
  const readPage = () => cachedUntilWrite(app.deps, 'a page', () => ++computed)
  const readPeriod = async (n: number) =>
    parseData((await ask(app, `${ratesPath}?n=${n}`)).body).rates?.map(({ period }) => period)
  readPage()
  for (let n = 0; n < 510; n++) await readPeriod(n)
  expect(readPage()).toBe(1)
  writeUncounted(app).update(rates).set({ period: 'Unseen' }).run()
  expect(await readPeriod(509)).toEqual([rate.period])
  expect(await readPeriod(0)).toEqual(['Unseen'])
})

test('keeps no response of more than 128 KB', async () => {
  const app = await testApp()
  const values = { isAvailable: false, reason: 'Painters', updatedAt: '2026-03-04T17:00:00.000Z' }
  const blocked = Array.from({ length: 800 }, (_, at) => ({ date: addDays('2026-06-01', at), ...values }))
  await app.deps.write(tx => tx.insert(availability).values(blocked).run())
  const range = { startDate: '2026-06-01', endDate: '2028-08-08' }
  const batchOf = (count: number) =>
    `/trpc/${Array(count).fill('availability.range').join()}?batch=1&${input({ ...Array(count).fill(range) })}`
  const reasonsOf = async (count: number) => {
    const { body } = await ask(app, batchOf(count))
    return [body.includes('Painters'), body.includes('Unseen')]
  }
  expect([await reasonsOf(2), await reasonsOf(3)]).toEqual([
    [true, false],
    [true, false],
  ])
  writeUncounted(app).update(availability).set({ reason: 'Unseen' }).run()
  expect([await reasonsOf(2), await reasonsOf(3)]).toEqual([
    [true, false],
    [false, true],
  ])
})

test('shows each change by the owner in the next read, over REST and tRPC', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  const tenant = await app.makeTenant()
  await expectEveryUrlToReturn(app, [], {})

  const { rate } = await owner.rates.create(buildRate())
  await expectEveryUrlToReturn(app, ['Summer'], {})
  await owner.rates.update({ ...buildRate(), id: rate.id, period: 'High summer' })
  await expectEveryUrlToReturn(app, ['High summer'], {})
  await owner.rates.update({ ...buildRate(), id: rate.id, isActive: false })
  await expectEveryUrlToReturn(app, [], {})
  await owner.rates.remove({ id: rate.id })
  await expectEveryUrlToReturn(app, [], {})

  await owner.availability.setDate({ date: day, isAvailable: false, reason: 'Painters' })
  await expectEveryUrlToReturn(app, [], { [day]: 'Painters' })
  await owner.availability.setDate({ date: day, isAvailable: true })
  await expectEveryUrlToReturn(app, [], { [day]: 'Available' })

  const { id } = await makePending(app, tenant, dates('2026-07-01', '2026-07-03'))
  await expectEveryUrlToReturn(app, [], { [day]: 'Available' })
  await owner.applications.adminSetStatus({ id, status: 'approved' })
  await expectEveryUrlToReturn(app, [], {
    [day]: 'Available',
    '2026-07-01': 'Booked',
    '2026-07-02': 'Booked',
  })
  await owner.applications.adminSetStatus({ id, status: 'rejected' })
  await expectEveryUrlToReturn(app, [], { [day]: 'Available' })
})

test('does not serve data read before a write as if it were read after it', async () => {
  const app = await testApp()
  const admin = await app.makeAdmin()
  await app.as(admin).rates.create(buildRate())
  const isRead = Promise.withResolvers<void>()
  const mayLeave = Promise.withResolvers<void>()
  // Delays the first response after its data was read.
  let isFirst = true
  const fastify = await app.fastify()
  fastify.addHook('preSerialization', async (_request, _reply, payload) => {
    if (!isFirst) return payload
    isFirst = false
    isRead.resolve()
    await mayLeave.promise
    return payload
  })
  const slow = ask(app, ratesPath)
  await isRead.promise
  await app
    .as(admin)
    .rates.create(buildRate({ period: 'Autumn', startDate: '2026-09-01', endDate: '2026-10-31' }))
  mayLeave.resolve()
  expect(parseData((await slow).body).rates).toHaveLength(1)
  await expectEveryUrlToReturn(app, ['Summer', 'Autumn'], {})
})

test('shows a write by another connection in the next read', async () => {
  const app = await testApp()
  const url = await app.listen()
  await app.as(await app.makeAdmin()).rates.create(buildRate())
  const tell = async (path: string) => parseData(await (await fetch(`${url}${path}`)).text())
  for (const period of ['Summer', 'Early', 'Late', 'Later']) {
    otherConnection(app, sqlite => sqlite.prepare('update rates set period = ?').run(period))
    for (const path of publicUrls.filter(path => path.includes('rates')))
      expect((await tell(path)).rates).toMatchObject([{ period }])
  }
})

test('keeps cached responses after a rejected or failed write, but not after a concurrent successful write', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.rates.create(buildRate())
  const before = await Promise.all(publicUrls.map(url => fetchEtag(app, url)))
  await expect(owner.rates.update({ ...buildRate({ period: 'Nobody’s' }), id: 'none' })).rejects.toThrow()
  await expect(owner.availability.setDate({ date: '2026-03-01', isAvailable: false })).rejects.toThrow()
  const broken = () =>
    app.deps.write(tx => {
      tx.update(rates).set({ period: 'Half-way' }).run()
      throw new Error('in the middle')
    })
  await expect(broken()).rejects.toThrow('in the middle')
  expect(await Promise.all(publicUrls.map(url => fetchEtag(app, url)))).toEqual(before)
  await expectEveryUrlToReturn(app, ['Summer'], {})

  const [failed, stood] = await Promise.allSettled([
    broken(),
    owner.availability.setDate({ date: day, isAvailable: false, reason: 'Painters' }),
  ])
  expect([failed.status, stood.status]).toEqual(['rejected', 'fulfilled'])
  await expectEveryUrlToReturn(app, ['Summer'], { [day]: 'Painters' })
})

/** Each writer calls `answered` after every numbered write. */
const writers: Record<string, (app: TestApp, url: string, answered: (n: number) => void) => Promise<void>> = {
  'the owner in the same process': async (app, url, answered) => {
    const { token } = await signUpAdmin(app)
    for (let n = 1; n <= 60; n++) {
      const { status } = await fetch(`${url}/api/availability/admin/${day}`, {
        method: 'PUT',
        headers: { ...headersOf({ token }), 'content-type': 'application/json' },
        body: JSON.stringify({ isAvailable: n % 2 === 0, reason: String(n) }),
      })
      expect(status).toBe(200)
      answered(n)
    }
  },
  'another process': async (app, _url, answered) => {
    const script = `
      import SqliteDatabase from 'better-sqlite3'
      const sqlite = new SqliteDatabase(process.argv[1], { timeout: 5000 })
      const set = sqlite.prepare('update availability set reason = ? where date = ?')
      for (let n = 1; n <= 400; n++) {
        set.run(String(n), '${day}')
        process.stdout.write(n + '\\n')
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3)
      }`
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', script, app.deps.config.databaseFile],
      { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const ended = new Promise(resolve => child.once('exit', resolve))
    createInterface({ input: child.stdout }).on('line', line => answered(Number(line)))
    expect(await ended).toBe(0)
  },
}

test.each(Object.keys(writers))(
  'returns each completed write by %s, or a later one, to many concurrent readers',
  async name => {
    const app = await testApp()
    const url = await app.listen()
    await app.deps.write(tx =>
      tx
        .insert(availability)
        .values({ date: day, isAvailable: false, reason: '0', updatedAt: '2026-03-04T17:00:00.000Z' })
        .run(),
    )
    let answered = 0
    let isOver = false
    const seen = new Set<number>()
    const reader = async (path: string) => {
      let last = 0
      for (let isLast = false; !isLast; ) {
        isLast = isOver
        const atLeast = Math.max(last, answered)
        const data = parseData(await (await fetch(`${url}${path}`)).text())
        last = Number(data.availability?.[0]?.reason)
        if (!(last >= atLeast)) throw new Error(`${path} returned ${last} after ${atLeast}`)
        seen.add(last)
      }
      return last
    }
    const paths = publicUrls.filter(path => path.includes('availability')).flatMap(path => [path, path])
    const readers = paths.map(reader)
    const writing = writers[name]?.(app, url, n => {
      answered = n
    }).finally(() => {
      isOver = true
    })
    const [last] = await Promise.all([Promise.all(readers), writing])
    expect(new Set(last)).toEqual(new Set([answered]))
    expect(answered).toBeGreaterThanOrEqual(60)
    // The readers did read between the writes.
    expect(seen.size).toBeGreaterThan(20)
  },
)

test('gives equal content the same ETag, returns an empty 304 for it, and sends changed content completely', async () => {
  const app = await testApp()
  const address = await app.listen()
  const { token } = await signUpAdmin(app)
  const owner = app.as(await app.makeAdmin())
  await owner.rates.create(buildRate())
  const privateUrls = ['/api/application/status', '/trpc/applications.status', '/api/rates/admin/all']
  const get = async (url: string, etag?: string) => {
    const asked = url.includes('status') || url.includes('admin') ? { token } : {}
    const answer = await fetch(`${address}${url}`, {
      headers: headersOf({ ...asked, ...(etag && { etag }) }),
    })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
  const urls = [...publicUrls, ...privateUrls]
  const known = new Map<string, string>()
  for (const url of urls) {
    const first = await get(url)
    const etag = first.headers.get('etag') ?? ''
    expect(etag, url).toMatch(/^W\/"[\w-]{20,}"$/)
    known.set(url, etag)
    const again = await get(url)
    expect([again.status, again.headers.get('etag'), again.body], url).toEqual([200, etag, first.body])
    expect(again.headers.get('content-type'), url).toMatch(/^application\/json/)
    // The ETag may be one of several; an unrelated ETag does not match.
    for (const given of [etag, `W/"other", ${etag}`]) {
      const same = await get(url, given)
      expect([same.status, same.headers.get('etag'), same.body], url).toEqual([304, etag, ''])
      expect(same.headers.get('content-type'), url).toBeNull()
      expect(same.headers.get('content-length'), url).toBeNull()
      expect(same.headers.get('cache-control'), url).toBe('no-store')
      expect(same.headers.get('x-content-type-options'), url).toBe('nosniff')
    }
    expect((await get(url, 'W/"other"')).status, url).toBe(200)
    expect(first.headers.get('cache-control'), url).toBe('no-store')
    expect(again.headers.get('cache-control'), url).toBe('no-store')
  }
  await owner.rates.create(buildRate({ period: 'Autumn', startDate: '2026-09-01', endDate: '2026-10-31' }))
  for (const url of urls) {
    const isChanged = url.includes('rates')
    const after = await get(url, known.get(url))
    expect(after.status, url).toBe(isChanged ? 200 : 304)
    expect(after.headers.get('etag') === known.get(url), url).toBe(!isChanged)
    expect(after.body.includes('Autumn'), url).toBe(isChanged)
  }
})

test.each([
  '/api/application/status',
  '/trpc/applications.status',
  '/trpc/applications.status,rates.list?batch=1',
])(
  '%s returns 304 only with a live session, and only if that session would get the same full response',
  async url => {
    const app = await testApp()
    const maya = await signUp(app)
    const omar = await signUp(app, { email: 'omar@guest.example' })
    const nobodys = await fetchEtag(app, url, { token: maya.token })
    expect((await ask(app, url, { token: omar.token, etag: nobodys })).status).toBe(304)

    const { applicationNumber } = await makePending(app, {
      role: 'tenant',
      userId: maya.user.id,
      requestOrigin: testOrigin,
    })
    const mayas = await fetchEtag(app, url, { token: maya.token })
    expect(mayas).not.toBe(nobodys)
    expect((await ask(app, url, { token: maya.token, etag: mayas })).status).toBe(304)
    const omars = await ask(app, url, { token: omar.token, etag: mayas })
    expect([omars.status, omars.headers.etag]).toEqual([200, nobodys])
    expect(omars.body).not.toContain(applicationNumber)

    const expectRefused = async (token?: string) => {
      const refused = await ask(app, url, { ...(token && { token }), etag: mayas })
      expect(refused.status).toBe(url.includes(',') ? 207 : 401)
      expect(refused.headers.etag).toBeUndefined()
      expect(refused.body).not.toContain(applicationNumber)
      expect(refused.body).toContain('"error"')
    }
    await expectRefused()
    await expectRefused('x'.repeat(43))
    await app.http.inject({
      method: 'POST',
      url: '/api/auth/logout',
      headers: headersOf({ token: omar.token }),
    })
    await expectRefused(omar.token)
    app.advance(31 * 60_000)
    await expectRefused(maya.token)
  },
)

test('errors have no ETag and are not cached', async () => {
  const app = await testApp()
  await app.as(await app.makeAdmin()).rates.create(buildRate())
  const refused: [string, number][] = [
    ['/api/nothing', 404],
    ['/trpc/no.such', 404],
    ['/api/rates/admin/all', 401],
    ['/trpc/rates.listAll', 401],
    ['/api/availability?startDate=2026-07-01&endDate=2026-06-01', 400],
    [`/trpc/availability.range?${input({ startDate: 'soon' })}`, 400],
  ]
  for (let round = 0; round < 2; round++)
    for (const [url, status] of refused) {
      const answer = await ask(app, url)
      expect([answer.status, answer.headers.etag, answer.headers['cache-control']], url).toEqual([
        status,
        undefined,
        'no-store',
      ])
      expect(answer.body, url).toContain('error')
    }

  otherConnection(app, sqlite => sqlite.exec('alter table rates rename to rates_away'))
  for (const url of [ratesPath, '/trpc/rates.list']) {
    const broken = await ask(app, url)
    expect([broken.status, broken.headers.etag]).toEqual([500, undefined])
  }
  otherConnection(app, sqlite => sqlite.exec('alter table rates_away rename to rates'))
  // Requests in the same turn share one data version check, so wait for the next turn.
  await new Promise(setImmediate)
  await expectEveryUrlToReturn(app, ['Summer'], {})
})

test('answers HEAD like GET, without the body, and does not cache it', async () => {
  const app = await testApp()
  await app.as(await app.makeAdmin()).rates.create(buildRate())
  for (let round = 0; round < 2; round++) {
    const head = await ask(app, ratesPath, { method: 'HEAD' })
    expect([head.status, head.body]).toEqual([200, ''])
    expect(head.headers['content-type']).toMatch(/^application\/json/)
    expect((await ask(app, '/trpc/rates.list', { method: 'HEAD' })).body).toBe('')
    await expectEveryUrlToReturn(app, ['Summer'], {})
  }
})

test('compresses large responses for clients that accept gzip, also from the cache', async () => {
  const app = await testApp()
  const { token } = await signUpAdmin(app)
  const owner = app.as(await app.makeAdmin())
  for (let year = 2027; year < 2037; year++)
    await owner.rates.create(buildRate({ startDate: `${year}-01-01`, endDate: `${year}-12-31` }))
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.http.inject({ url, headers: { ...headersOf({ token }), ...headers } })

  // The second request for each URL is served from the cache.
  for (const url of [ratesPath, ratesPath, '/trpc/rates.list', '/trpc/rates.list', '/api/rates/admin/all']) {
    const plain = await get(url)
    const zipped = await get(url, { 'accept-encoding': 'br, gzip' })
    expect([plain.statusCode, plain.headers['content-encoding']], url).toEqual([200, undefined])
    expect([zipped.statusCode, zipped.headers['content-encoding']], url).toEqual([200, 'gzip'])
    expect(zipped.headers.vary).toContain('Accept-Encoding')
    expect(Number(zipped.headers['content-length']), url).toBe(zipped.rawPayload.length)
    expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
    expect(gunzipSync(zipped.rawPayload).toString(), url).toBe(plain.body)
    expect(zipped.headers.etag).toBe(plain.headers.etag)
    const etag = String(plain.headers.etag)
    const known = await get(url, { 'accept-encoding': 'br, gzip', 'if-none-match': etag })
    expect([known.statusCode, known.headers['content-encoding'], known.body], url).toEqual([
      304,
      undefined,
      '',
    ])
  }
})
