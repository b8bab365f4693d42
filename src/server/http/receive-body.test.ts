import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { expect, test, vi } from 'vitest'
import { AppError } from '../../domain/common/errors.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { collect, discardRest, receiveBody, receiveForm } from './receive-body.ts'

const from = (ip: string) => ({ ip, headers: {} }) as FastifyRequest
const unavailable = { code: 'unavailable', retryAfterSeconds: 60 }
type Sender = NonNullable<Parameters<typeof receiveBody>[3]>['sender']

const guest: Sender = { role: 'guest' }

test('up to 20 bodies from a network address can arrive or be discarded at once; others are not affected', async () => {
  const held = Array.from({ length: 20 }, () => discardRest(from('203.0.113.7'), guest, new PassThrough()))
  const done: string[] = []
  for (const ip of ['203.0.113.7', '203.0.114.7'])
    held.push(discardRest(from(ip), guest, new PassThrough()).then(() => void done.push(ip)))
  await turn()
  expect(done).toEqual(['203.0.113.7'])
  await expect(receiveBody(from('203.0.113.7'), new PassThrough(), 10)).rejects.toMatchObject(unavailable)
  const body = receiveBody(from('203.0.114.7'), new PassThrough().end('text'), 10)
  expect(String(await body)).toBe('text')
  await Promise.all(held)
  expect(String(await receiveBody(from('203.0.113.7'), new PassThrough().end('text'), 10))).toBe('text')
})

const tenant = { role: 'tenant', userId: 'maya' } as const
const webhook: Sender = { role: 'webhook' }
const anywhere = (n: number) => `10.${n}.0.1`
const inNetwork = (n: number) => `2001:db8:1:${n.toString(16)}::1`

test('discarding a tenant’s body does not count against visitors', async () => {
  const sources = Array.from({ length: 10 }, () => new PassThrough())
  const held = sources.map(source => discardRest(from('203.0.113.7'), tenant, source))
  const text = (sender: Sender) =>
    receiveBody(from('203.0.113.7'), new PassThrough().end('text'), 10, { sender }).then(String)
  await expect(text(tenant)).rejects.toMatchObject(unavailable)
  const visitors = Array.from({ length: 19 }, () =>
    discardRest(from('203.0.113.7'), guest, new PassThrough()),
  )
  expect(await text(guest)).toBe('text')
  for (const source of sources) source.end()
  await Promise.all([...held, ...visitors])
})

test.each([
  ['of a larger network', 30, inNetwork, () => guest, '2001:db8:1:ffff::1'],
  ['of all visitors', 250, anywhere, () => guest, '203.0.114.7'],
  ['of one person', 10, anywhere, () => tenant, '203.0.114.7'],
  ['of all tenants', 50, anywhere, (n: number) => ({ ...tenant, userId: `person ${n}` }), '203.0.114.7'],
  ['of a network for the webhook', 10, inNetwork, () => webhook, '2001:db8:1:ffff::1'],
  ['of all for the webhook', 50, anywhere, () => webhook, '203.0.114.7'],
] as const)(
  'limits the bodies %s that arrive at once to %d, which keeps nobody else out',
  async (_, max, addressOf, senderOf: (n: number) => Sender, refused) => {
    const sources = Array.from({ length: max }, () => new PassThrough())
    const bodies = sources.map((source, n) =>
      receiveBody(from(addressOf(n)), source, 10, { sender: senderOf(n) }),
    )
    const text = (sender: Sender) =>
      receiveBody(from(refused), new PassThrough().end('text'), 10, { sender }).then(String)
    await expect(text(senderOf(0))).rejects.toMatchObject(unavailable)
    const role = senderOf(0)?.role
    for (const other of [
      guest,
      { ...tenant, userId: 'jonas' },
      { role: 'admin', userId: 'owner' } as const,
      webhook,
    ])
      if (other.role !== role) expect(await text(other)).toBe('text')
    for (const source of sources) source.end('text')
    expect((await Promise.all(bodies)).map(String)).toEqual(Array(max).fill('text'))
    expect(await text(senderOf(0))).toBe('text')
  },
)

test('bodies of tenants without a booking are at most 20, and the oldest of the network with the most gives way to others', async () => {
  const begin = (n: number, isBooked: boolean, ip = `2001:db8:1:${n}::1`) => {
    const source = new PassThrough()
    const sender = { ...tenant, userId: `tenant ${n}`, isBooked }
    const body = receiveBody(from(ip), source, 10, { sender }).then(String, ({ code }) => code)
    return { body, source }
  }
  const end = async ({ body, source }: ReturnType<typeof begin>) => {
    source.end('text')
    return body
  }
  const unbooked = Array.from({ length: 20 }, (_, n) => begin(n, false))
  expect(await end(begin(20, false))).toBe('unavailable')
  expect(await end(begin(21, false, '203.0.113.7'))).toBe('text')
  expect(await unbooked[0]?.body).toBe('bad_request')
  const booked = Array.from({ length: 31 }, (_, n) => begin(30 + n, true, `10.${n % 15}.0.1`))
  expect(await end(begin(70, true, '203.0.113.7'))).toBe('text')
  expect(await unbooked[1]?.body).toBe('bad_request')
  const rest = [...unbooked.slice(2), ...booked].map(end)
  expect(await Promise.all(rest)).toEqual(Array(49).fill('text'))
})

const mb = 1024 * 1024

test('large bodies of visitors have 16 MB, of which one address has 4, and the oldest of the network with the most gives way to others', async () => {
  const hold = async (ip: string, bytes: number) => {
    const source = new PassThrough()
    afterThisTest(() => void source.destroy())
    const done = receiveBody(from(ip), source, 2 * mb).catch(({ code }) => code)
    source.write(Buffer.alloc(bytes))
    return { source, state: await Promise.race([done, sleep(20, 'held')]) }
  }
  const held = [await hold('203.0.113.7', 2 * mb), await hold('203.0.113.7', 2 * mb)]
  expect((await hold('203.0.113.7', mb)).state).toBe('unavailable')
  for (const n of [1, 1, 2, 2, 3, 3]) held.push(await hold(anywhere(n), 2 * mb))
  expect(held.map(({ state }) => state)).toEqual(held.map(() => 'held'))
  expect((await hold('203.0.114.7', mb)).state).toBe('held')
  expect(held.map(({ source }) => source.destroyed)).toEqual([true, ...held.slice(1).map(() => false)])
})

test('large bodies of people have 48 MB, of them 24 without a booking; files leave 4 to signatures', async () => {
  const unbooked = { ...tenant, isBooked: false }
  const hold = async (sender: NonNullable<Sender>, bytes: number, spareBytes = 0) => {
    const source = new PassThrough()
    afterThisTest(() => void source.destroy())
    const tooLarge = () => new AppError('too_large', '')
    const done = collect(source, bytes, tooLarge, { sender, spareBytes }).catch(({ code }) => code)
    source.write(Buffer.alloc(bytes - 1))
    return Promise.race([done, sleep(20, 'held')])
  }
  const small = async () => {
    const source = new PassThrough()
    const body = receiveBody(from('203.0.113.7'), source, mb)
    for (const each of [60, 35]) await turn(source.write(Buffer.alloc(each * 1024)))
    source.end()
    return (await body).length
  }
  expect(await hold(unbooked, 20 * mb, 4 * mb)).toBe('held')
  expect(await hold(unbooked, mb, 4 * mb)).toBe('unavailable')
  expect(await hold(unbooked, 4 * mb)).toBe('held')
  expect(await hold(unbooked, mb)).toBe('unavailable')
  expect(await small()).toBe(95 * 1024)
  expect(await hold(tenant, 24 * mb)).toBe('held')
  expect(await hold({ role: 'admin' }, mb)).toBe('unavailable')
})

test('a body that makes no progress for 3 seconds is cut, a large one for 10, and a slow one after 15', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  afterThisTest(() => void vi.useRealTimers())
  const begin = (maxBytes: number) => {
    const source = new PassThrough()
    receiveBody(from('203.0.113.7'), source, maxBytes).catch(() => {})
    return source
  }
  let elapsedMs = 0
  const [small, slow, large] = [begin(1000), begin(1000), begin(1_000_000)]
  for (const [seconds, isCut] of [
    [2.9, [false, false, false]],
    [3.1, [true, false, false]],
    [9.9, [true, false, false]],
    [10.1, [true, false, true]],
    [14.9, [true, false, true]],
    [15.1, [true, true, true]],
  ] as const) {
    for (; elapsedMs < seconds * 1000; elapsedMs += 100) {
      vi.advanceTimersByTime(100)
      slow.write('x')
      await turn()
    }
    expect([small, slow, large].map(({ destroyed }) => destroyed)).toEqual(isCut)
  }
})

test('a form ends with its connection after 10 seconds without progress, after two minutes (a picture’s after three), or beyond its length', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  afterThisTest(() => void vi.useRealTimers())
  const begin = (maxBytes = 1_000_000) => {
    const source = new PassThrough()
    const raw = Object.assign(source, { complete: false, socket: { bytesRead: 100 } })
    const request = { ...from('203.0.113.7'), raw } as unknown as FastifyRequest
    const done = receiveForm(request, guest, maxBytes, () => once(source, 'close'))
    afterThisTest(() => void source.destroy())
    return { raw, done }
  }
  const [idle, slow, long, whole, picture] = [begin(), begin(), begin(), begin(), begin(20_000_000)]
  long.raw.socket.bytesRead += 1_020_001
  whole.raw.complete = true
  const cut = () => [idle, slow, long, whole].map(({ raw }) => raw.destroyed)
  const wait = (seconds: number) => {
    for (let n = 0; n < seconds * 2; n++) {
      for (const { raw } of [slow, picture]) raw.socket.bytesRead++
      vi.advanceTimersByTime(500)
    }
    return cut()
  }
  expect(wait(9.5)).toEqual([false, false, true, false])
  expect(wait(0.5)).toEqual([true, false, true, false])
  expect(wait(109.5)).toEqual([true, false, true, false])
  expect(wait(0.5)).toEqual([true, true, true, false])
  wait(59.5)
  expect(picture.raw.destroyed).toBe(false)
  wait(0.5)
  expect(picture.raw.destroyed).toBe(true)
  whole.raw.destroy()
  await Promise.all([idle, slow, long, whole, picture].map(({ done }) => done))
})
