import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { createLimits, type LimitName } from './limits.ts'

const refused = { code: 'too_many' }
const times = async (count: number, work: (i: number) => Promise<unknown>) => {
  for (let i = 0; i < count; i++) await work(i)
}

afterEach(() => vi.useRealTimers())

test('all limits share 20,000 keys: a flood drops its own first, and nothing that protects an account', async () => {
  const limits = createLimits(true)
  const flood = (name: LimitName, count: number) =>
    times(count, i => limits.consume(name, `${name} ${i} ${'a'.repeat(230)}`))
  await times(5, () => limits.consume('forgotByAccount', 'victim@guest.example'))
  await times(20, () => limits.consume('stepUpByUser', 'victim'))
  await times(100, () => limits.count('loginByAccount', '7'))
  await times(4096, slot => limits.count('loginByAccount', String(slot)))
  await times(20, () => limits.consume('registerByAddress', 'oldest'))
  await expect(limits.check('registerByAddress', 'oldest')).rejects.toMatchObject(refused)
  await flood('registerByAddress', 10_000)
  await flood('contactByAddress', 10_000)
  await flood('loginByAccountAndNetwork', 10_000)
  await expect(limits.check('registerByAddress', 'oldest')).resolves.toBeUndefined()
  await flood('forgotByAccount', 5000)
  await expect(limits.consume('forgotByAccount', 'victim@guest.example')).rejects.toMatchObject(refused)
  await expect(limits.consume('stepUpByUser', 'victim')).rejects.toMatchObject(refused)
  expect(await limits.count('loginByAccount', '7')).toBe(2)
})

test('a flood of long keys in many limits takes less than 16 MB', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const heap = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const limits = createLimits(true)
  const before = heap()
  const names = [
    'forgotByAccount',
    'loginByAccountAndNetwork',
    'registerByAddress',
    'resetByAddress',
  ] as const
  await times(20_000, async i => {
    for (const name of names) await limits.consume(name, `2001:db8:1:2::/64 ${'a'.repeat(230)}${i}@x.example`)
  })
  expect(heap() - before).toBeLessThan(16)
  // Keeps the limits from being collected before.
  await limits.check('forgotByAccount', 'nobody')
})

test('a count ends after its time, and one from a clock that was ahead does not outlast that time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const now = Date.now()
  const limits = createLimits(true)
  const takeAll = () => times(5, () => limits.consume('forgotByAccount', 'a'))
  await takeAll()
  await expect(limits.consume('forgotByAccount', 'a')).rejects.toMatchObject({
    ...refused,
    retryAfterSeconds: 3600,
  })
  vi.setSystemTime(now + 3_600_000)
  await takeAll()
  await expect(limits.check('forgotByAccount', 'a')).rejects.toMatchObject(refused)
  vi.setSystemTime(now)
  await takeAll()
})

test('a refund gives a use back, and none beyond those that were counted', async () => {
  const limits = createLimits(true)
  await limits.refund('forgotByAccount', 'a')
  await times(5, () => limits.consume('forgotByAccount', 'a'))
  await expect(limits.check('forgotByAccount', 'a')).rejects.toMatchObject(refused)
  await limits.refund('forgotByAccount', 'a')
  await limits.consume('forgotByAccount', 'a')
  await expect(limits.consume('forgotByAccount', 'a')).rejects.toMatchObject(refused)
})

test.each([
  ['IPv6 /48', (n: number) => `2001:db8:1:${n.toString(16)}::1`, '2001:db8:2::1'],
  ['IPv4 /24', (n: number) => `203.0.113.${n}`, '203.0.114.1'],
])('addresses of an %s together have three times the points of one', async (_, addressOf, other) => {
  const limits = createLimits(true)
  const use = (address: string) => limits.consume('contactByAddress', address)
  await times(5, () => use(addressOf(0)))
  // An address that is over its own limit no longer uses up the limit of its network.
  await times(20, () => expect(use(addressOf(0))).rejects.toMatchObject(refused))
  await times(10, n => use(addressOf(1 + (n % 5))))
  await expect(use(addressOf(9))).rejects.toMatchObject(refused)
  expect(await limits.count('contactByAddress', addressOf(10))).toBe(2)
  await use(other)
  // Wrong passwords and codes have their own limits.
  await times(150, n => limits.consume('loginByAddress', addressOf(n)))
})
