import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveEntry, nextFocusKey, orderMessages, resizeKeys } from './use-entries.ts'

test('moves an entry to its new place, and keeps the order of the others', () => {
  expect(moveEntry(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moveEntry(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  const places = fc
    .uniqueArray(fc.string(), { minLength: 1, maxLength: 12 })
    .chain(entries => fc.tuple(fc.constant(entries), fc.nat(entries.length - 1), fc.nat(entries.length - 1)))
  fc.assert(
    fc.property(places, ([entries, from, to]) => {
      const moved = moveEntry(entries, from, to)
      expect(moved[to]).toBe(entries[from])
      expect(moveEntry(moved, to, from)).toEqual(entries)
    }),
  )
})

test('keeps the keys of existing entries when the list grows or shrinks', () => {
  const grown = resizeKeys(['a', 'b'], 4)
  expect(grown.slice(0, 2)).toEqual(['a', 'b'])
  expect(new Set(grown).size).toBe(4)
  expect(resizeKeys(['a', 'b', 'c'], 2)).toEqual(['a', 'b'])
})

test('after a removal, focuses the next entry, or else the previous entry', () => {
  expect(nextFocusKey(['a', 'b', 'c'], 1)).toBe('c')
  expect(nextFocusKey(['a', 'b', 'c'], 2)).toBe('b')
  expect(nextFocusKey(['a'], 0)).toBeUndefined()
})

test('announces a move with the place counted from 1', () => {
  expect(orderMessages.moved('Kitchen', 2, 12)).toBe('Moved to place 3 of 12: Kitchen')
})
