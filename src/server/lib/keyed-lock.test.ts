import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyedLock } from './keyed-lock.ts'

test('runs one task at a time per key, in order, even after a failure; other keys do not wait', async () => {
  const lock = createKeyedLock()
  const log: string[] = []
  const work = (key: string, name: string, ms: number, fails = false) =>
    lock(key, async () => {
      log.push(`${name} begins`)
      await sleep(ms)
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([
    work('a', 'one', 20, true),
    work('a', 'two', 1),
    work('b', 'other', 5),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(log).toEqual(['one begins', 'other begins', 'other ends', 'one ends', 'two begins', 'two ends'])
})
