import { expect, test } from 'vitest'
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts'

const opening: ListQuery = { search: '', status: undefined, sort: 'createdAt', order: 'desc', page: 1 }

test('defaults to the newest first, which is an empty query string [ADMDASH-07]', () => {
  expect(readListQuery(new URLSearchParams())).toEqual(opening)
  expect(writeListQuery(opening).toString()).toBe('')
})

test('reads back what was written to the URL', () => {
  const query: ListQuery = {
    search: 'O’Brien & Söhne',
    status: 'approved',
    sort: 'totalAmount',
    order: 'asc',
    page: 3,
  }
  expect(readListQuery(new URLSearchParams(writeListQuery(query).toString()))).toEqual(query)
})

test.each([
  'status=draft&sort=password&order=up&page=0',
  'status=&sort=&order=&page=-1',
  'page=1.5',
  'page=1e9',
])('falls back to the defaults for an invalid URL: %s', address => {
  expect(readListQuery(new URLSearchParams(address))).toEqual(opening)
})
