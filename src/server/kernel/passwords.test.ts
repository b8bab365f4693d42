import { expect, test } from 'vitest'
import { AppError } from '../../domain/errors.ts'
import { createPasswords } from './passwords.ts'

test('a password fits its own hash alone, and every hash has its own salt', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand between toes')
  expect(await passwords.verify(hash, 'sand between toes')).toBe(true)
  expect(await passwords.verify(hash, 'Sand between toes')).toBe(false)
  expect(await passwords.hash('sand between toes')).not.toBe(hash)
})

test('without a hash no password fits, and it takes as long as with one', async () => {
  const passwords = createPasswords()
  const hash = await passwords.hash('sand between toes')
  const fastest = async (stored: string | undefined) => {
    const times: number[] = []
    for (let i = 0; i < 5; i += 1) {
      const began = performance.now()
      expect(await passwords.verify(stored, 'sand')).toBe(false)
      times.push(performance.now() - began)
    }
    return Math.min(...times)
  }
  const ratio = (await fastest(undefined)) / (await fastest(hash))
  expect(ratio).toBeGreaterThan(0.5)
  expect(ratio).toBeLessThan(2)
})

test('two hashes are made at once and twenty wait; the next is refused and told when to come back', async () => {
  const passwords = createPasswords()
  const answers = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash('sand')))
  const refused = answers.flatMap(answer => (answer.status === 'rejected' ? [answer.reason] : []))
  expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(20)
  expect(refused.length).toBeGreaterThanOrEqual(8)
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(AppError)
    expect(reason).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
  }
  expect(await passwords.hash('sand')).toMatch(/^\$argon2id/)
})
