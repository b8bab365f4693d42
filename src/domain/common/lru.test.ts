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

test('keeps the newer value of a key', () => {
  const cache = createLru<string, number>(2)
  cache.set('a', 1)
  cache.set('a', 2)
  cache.set('b', 3)
  expect(cache.get('a')).toBe(2)
})

test('evicts as many entries as the size of a new one requires, and keeps none that is too large', () => {
  const cache = createLru<string, number>(10, size => size)
  const held = () => ['a', 'b', 'c', 'd'].map(key => cache.get(key))
  cache.set('a', 4)
  cache.set('b', 4)
  cache.set('a', 2)
  cache.set('c', 4)
  expect(held()).toEqual([2, 4, 4, undefined])
  cache.set('d', 5)
  expect(held()).toEqual([undefined, undefined, 4, 5])
  cache.delete('c')
  cache.set('a', 5)
  expect(held()).toEqual([5, undefined, undefined, 5])
  cache.set('b', 11)
  expect(held()).toEqual([undefined, undefined, undefined, undefined])
})
