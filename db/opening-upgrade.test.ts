import { expect, test } from 'vitest'
import { oldSite } from '../src/testing/old-database.ts'

test.each([
  ['with a rate', 1],
  ['without anything', 0],
])('upgrading a site %s opens it if it is in use [OPEN-02]', (_, rates) => {
  const { insert, upgrade } = oldSite('0024_open_existing_sites')
  if (rates > 0) insert('rates', { id: 'r', start_date: '2026-01-01', end_date: '2026-12-31', min_stay: 1 })
  const found = upgrade().prepare("select value from settings where key = 'opening'").pluck().get()
  expect(found).toBe(rates > 0 ? 'open' : undefined)
})
