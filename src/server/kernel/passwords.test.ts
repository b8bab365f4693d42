import { expect, test } from 'vitest'
import { AppError } from '../../domain/common/errors.ts'
import { createPasswords } from './passwords.ts'

test('a password matches only its own hash, and every hash has its own salt', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand between toes')
  expect(await passwords.verify(hash, 'sand between toes')).toBe(true)
  expect(await passwords.verify(hash, 'Sand between toes')).toBe(false)
  expect(await passwords.hash('sand between toes')).not.toBe(hash)
})

test('without a hash no password matches, and verification takes as long as with one', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand between toes')
  const timed = async (stored: string | undefined) => {
    const began = performance.now()
    expect(await passwords.verify(stored, 'sand')).toBe(false)
    return performance.now() - began
  }
  // Compares the fastest run of each: on a busy machine it takes several rounds until both ran undisturbed.
  let [without, withOne] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const isAlike = () => without / withOne > 0.5 && without / withOne < 2
  for (let round = 0; round < 5 || (round < 50 && !isAlike()); round += 1) {
    without = Math.min(without, await timed(undefined))
    withOne = Math.min(withOne, await timed(hash))
  }
  const ratio = without / withOne
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('computes two hashes at once and queues twenty; rejects the next with a retry time', async () => {
  const passwords = createPasswords()
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash('sand')))
  const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20)
  expect(refused.length).toBeGreaterThanOrEqual(8)
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(AppError)
    expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  }
  expect(await passwords.hash('sand')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

test('a known network has a queue of its own, and goes first', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand')
  const order: string[] = []
  const strangers = Array.from({ length: 30 }, () =>
    passwords.verify(hash, 'guess').then(() => order.push('stranger')),
  )
  const others = Promise.allSettled(strangers)
  let network = 0
  const known = () => passwords.verify(hash, 'sand', { knownFrom: `network ${network++}` })
  expect(await Promise.all([known().then(isRight => order.push(`known ${isRight}`)), known()])).toHaveLength(
    2,
  )
  expect(order.indexOf('known true')).toBeLessThanOrEqual(4)
  const answers = await Promise.allSettled(Array.from({ length: 30 }, known))
  const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(refused.length).toBeGreaterThanOrEqual(6)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  expect((await others).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20)
})

test('one larger network gets at most five places in the queue of known networks', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand')
  const from = (knownFrom: string) => passwords.verify(hash, 'sand', { knownFrom })
  const flood = Promise.allSettled(Array.from({ length: 30 }, () => from('2001:db8:1::/48')))
  expect(await from('198.51.100.0/24')).toBe(true)
  const answers = await flood
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(answers.at(-1)).toMatchObject({ reason: { code: 'unavailable' } })
  expect(await from('2001:db8:1::/48')).toBe(true)
})
