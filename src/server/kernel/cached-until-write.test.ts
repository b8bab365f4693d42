import { expect, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'
import { cachedUntilWrite } from './cached-until-write.ts'
import { addFact } from './installation-facts.ts'

async function counter() {
  const { deps } = await testApp()
  let computed = 0
  return { deps, read: (key = 'a') => cachedUntilWrite(deps, key, () => ++computed) }
}

test('computes once for each key until a commit', async () => {
  const { deps, read } = await counter()
  expect([read(), read(), read('b'), read('b'), read()]).toEqual([1, 1, 2, 2, 1])
  await deps.write(tx => addFact(tx, 'test', '1'))
  expect([read(), read()]).toEqual([3, 3])
})

test('keeps the 500 values that were read last', async () => {
  const { read } = await counter()
  const keys = Array.from({ length: 500 }, (_, at) => `${at}`)
  for (const key of keys) read(key)
  expect(read('0')).toBe(1)
  expect(read('one more')).toBe(501)
  expect([read('0'), read('2'), read('1')]).toEqual([1, 3, 502])
})

test('keeps nothing that is computed during a write, which may be rolled back', async () => {
  const { deps, read } = await counter()
  expect(read()).toBe(1)
  const failed = deps.write(tx => {
    addFact(tx, 'test', '1')
    expect([read(), read()]).toEqual([2, 3])
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(read()).toBe(1)
})

test('keeps neither undefined nor a promise that is rejected', async () => {
  const { deps } = await counter()
  const results: unknown[] = [undefined, 1, 2]
  const read = () => cachedUntilWrite(deps, 'a', () => results.shift())
  expect([read(), read(), read()]).toEqual([undefined, 1, 1])
  const answers = [Promise.reject(new Error('failed')), Promise.resolve('read')]
  const ask = () => cachedUntilWrite(deps, 'b', () => answers.shift() ?? Promise.resolve('again'))
  await expect(ask()).rejects.toThrow('failed')
  expect([await ask(), await ask()]).toEqual(['read', 'read'])
})
