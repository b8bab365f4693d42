import { expect, test } from 'vitest'
import { createLru } from './lru.ts'

test('evicts the least recently used entry', () => {
  const cache = createLru<string, number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
})

test('keeps the newer value of a key, and nothing after clear', () => {
  const cache = createLru<string, number>(2)
  cache.set('a', 1)
  cache.set('a', 2)
  cache.set('b', 3)
  expect(cache.get('a')).toBe(2)
  cache.clear()
  expect(cache.get('b')).toBeUndefined()
})
