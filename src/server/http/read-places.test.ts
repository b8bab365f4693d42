import { expect, test, vi } from 'vitest'
import { signUp } from '../../testing/build-account.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'

/** Holds every response to /api/rates, after its data was read, until it is released. */
async function holdRates(app: TestApp) {
  const held: { url: string; release: () => void }[] = []
  let isOver = false
  const fastify = await app.fastify()
  fastify.addHook('preSerialization', async ({ url }, { statusCode }, payload) => {
    if (!isOver && statusCode === 200 && url.startsWith('/api/rates'))
      await new Promise<void>(release => held.push({ url, release }))
    return payload
  })
  const releaseAll = () => {
    isOver = true
    for (const { release } of held) release()
  }
  return { held, releaseAll }
}

/** Different reads: by default all of one visitor, else of as many as there are reads. */
const readRates = (app: TestApp, count: number, { from = 0, visitors = 1 } = {}) =>
  Array.from({ length: count }, async (_, at) => {
    const remoteAddress = `203.0.113.${1 + (at % visitors)}`
    const { statusCode, headers } = await app.http.inject({ url: `/api/rates?n=${from + at}`, remoteAddress })
    return { statusCode, retryAfter: headers['retry-after'] }
  })

const waitUntilHeld = (held: unknown[], count: number) =>
  vi.waitFor(() => expect(held.length).toBe(count), { timeout: 10_000 })
const pause = () => new Promise(resolve => setTimeout(resolve, 50))

test('four visitors read at once, and the others in turn, while the health, a login and a signed-in person do not wait', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const { token } = await signUp(app)
  const reads = readRates(app, 10)
  await waitUntilHeld(held, 4)
  const authorization = `Bearer ${token}`
  const payload = { email: 'nobody@guest.example', password: 'sand between toes' }
  const answers = await Promise.all([
    app.http.inject('/api/health'),
    app.http.inject('/trpc/site.health'),
    app.http.inject({ url: '/api/application/status', headers: { authorization } }),
    app.http.inject({
      url: '/trpc/applications.status,applications.status?batch=1',
      headers: { authorization },
    }),
    app.http.inject({ method: 'POST', url: '/api/auth/login', payload }),
  ])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 401])
  let isAnswered = false
  const others = ['/trpc/site.get', '/trpc/site.get,site.health?batch=1', '/api/booking/rules'].map(url =>
    app.http.inject(url).then(answer => {
      isAnswered = true
      return answer
    }),
  )
  await pause()
  expect([held.length, isAnswered]).toEqual([4, false])
  held[0]?.release()
  await waitUntilHeld(held, 5)
  await pause()
  expect([held.length, isAnswered]).toEqual([5, false])
  releaseAll()
  for (const { statusCode } of await Promise.all([...reads, ...others])) expect(statusCode).toBe(200)
})

test('refuses a read while a hundred wait', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const answers: { statusCode: number; retryAfter: unknown }[] = []
  const reads = readRates(app, 106, { visitors: 106 }).map(async read => answers.push(await read))
  const refused = { statusCode: 503, retryAfter: '2' }
  await vi.waitFor(() => expect(answers).toEqual([refused, refused]), { timeout: 10_000 })
  expect(held.length).toBe(4)
  releaseAll()
  await Promise.all(reads)
  expect(answers.slice(2)).toEqual(Array(104).fill({ statusCode: 200, retryAfter: undefined }))
})

test('refuses a read of a visitor who has thirty in progress or waiting, and answers another visitor', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const answers: { statusCode: number; retryAfter: unknown }[] = []
  const reads = readRates(app, 32).map(async read => answers.push(await read))
  const refused = { statusCode: 503, retryAfter: '2' }
  await vi.waitFor(() => expect(answers).toEqual([refused, refused]), { timeout: 10_000 })
  const other = app.http.inject({ url: '/api/rates?n=32', remoteAddress: '198.51.100.7' })
  await waitUntilHeld(held, 4)
  releaseAll()
  expect((await other).statusCode).toBe(200)
  await Promise.all(reads)
  expect(answers.slice(2)).toEqual(Array(30).fill({ statusCode: 200, retryAfter: undefined }))
  const again = await Promise.all(readRates(app, 30, { from: 100 }))
  expect(again.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(200))
})

test('of a hundred waiting reads those of the network with the most give way to a visitor from another network', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const answers: { statusCode: number; retryAfter: unknown }[] = []
  const reads = readRates(app, 104, { visitors: 4 }).map(async read => answers.push(await read))
  await waitUntilHeld(held, 4)
  const others = ['198.51.100.7', '198.51.100.8'].map((remoteAddress, n) =>
    app.http.inject({ url: `/api/rates?n=${200 + n}`, remoteAddress }),
  )
  const refused = { statusCode: 503, retryAfter: '2' }
  await vi.waitFor(() => expect(answers).toEqual([refused, refused]), { timeout: 10_000 })
  releaseAll()
  expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  await Promise.all(reads)
  expect(answers.slice(2)).toEqual(Array(102).fill({ statusCode: 200, retryAfter: undefined }))
})

test('reads once for those who wait for the same', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const others = readRates(app, 4)
  await waitUntilHeld(held, 4)
  const same = Array.from({ length: 10 }, () => app.http.inject('/api/rates'))
  await pause()
  held[0]?.release()
  await waitUntilHeld(held, 5)
  held[4]?.release()
  expect(new Set((await Promise.all(same)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(held.length).toBe(5)
  releaseAll()
  await Promise.all(others)
})

test('a visitor who leaves keeps the place until the work is done, and is not waited for in the queue', async () => {
  const app = await testApp()
  const { held, releaseAll } = await holdRates(app)
  const address = await app.listen()
  const leaving = new AbortController()
  const read = (n: number, signal?: AbortSignal) =>
    fetch(`${address}/api/rates?n=${n}`, { signal: signal ?? null }).then(
      ({ status }) => status,
      () => 'left',
    )
  const first = read(0, leaving.signal)
  await waitUntilHeld(held, 1)
  const next = [1, 2, 3].map(n => read(n))
  await waitUntilHeld(held, 4)
  const waiting = read(4, leaving.signal)
  await pause()
  const last = read(5)
  await pause()
  leaving.abort()
  expect(await Promise.all([first, waiting])).toEqual(['left', 'left'])
  await pause()
  expect(held.length).toBe(4)
  held[0]?.release()
  await waitUntilHeld(held, 5)
  expect(held[4]?.url).toBe('/api/rates?n=5')
  releaseAll()
  expect(await Promise.all([...next, last])).toEqual([200, 200, 200, 200])
})
