import { expect, test } from 'vitest'
import { type ListQuery, readListQuery, writeListQuery } from './list-query.ts'

const opening: ListQuery = { search: '', status: undefined, sort: 'createdAt', order: 'desc', page: 1 }

test('an empty address is the newest first, and is written as an empty address [ADMDASH-07]', () => {
  expect(readListQuery(new URLSearchParams())).toEqual(opening)
  expect(writeListQuery(opening).toString()).toBe('')
})

test('what is written into the address is read back', () => {
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
])('an address that makes no sense opens as usual: %s', address => {
  expect(readListQuery(new URLSearchParams(address))).toEqual(opening)
})
