import { expect, test } from 'vitest'
import { readDueQuery, writeDueQuery } from './due-page.tsx'

test('stores filter and page in the URL, and ignores invalid parameters [PLAN-35]', () => {
  for (const text of ['', 'state=overdue', 'state=on_its_way&page=3'])
    expect(writeDueQuery(readDueQuery(new URLSearchParams(text))).toString()).toBe(text)
  const read = readDueQuery(new URLSearchParams('state=paid&page=-1'))
  expect(read).toEqual({ state: undefined, page: 1 })
})
