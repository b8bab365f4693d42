import { expect, test } from 'vitest'
import { isKnownLogin, newLoginMailKey } from './known-login.ts'

const day = 24 * 60 * 60_000
const nowMs = Date.UTC(2026, 2, 4, 17)
const here = { family: 'Firefox', network: '203.0.113.0/24' }
const known = (past: { family?: string; network?: string; ageMs: number }[]) =>
  isKnownLogin(
    past.map(({ ageMs, ...place }) => ({ ...here, ...place, atMs: nowMs - ageMs })),
    here,
    nowMs,
  )

test('a login is known by browser and network together for 90 days [SAFE-22]', () => {
  expect(known([])).toBe(false)
  expect(known([{ ageMs: 90 * day }])).toBe(true)
  expect(known([{ ageMs: 90 * day + 1 }])).toBe(false)
  expect(known([{ ageMs: 1, family: 'Chrome' }])).toBe(false)
  expect(known([{ ageMs: 1, network: '203.0.114.0/24' }])).toBe(false)
  // Each was seen, but never both together.
  expect(
    known([
      { ageMs: 1, family: 'Chrome' },
      { ageMs: 1, network: '203.0.114.0/24' },
    ]),
  ).toBe(false)
})

test('the mail is sent at most once a day for each browser and network [SAFE-22]', () => {
  const keys = [
    newLoginMailKey('u', here, '2026-03-04'),
    newLoginMailKey('u', here, '2026-03-05'),
    newLoginMailKey('v', here, '2026-03-04'),
    newLoginMailKey('u', { ...here, family: 'Edge' }, '2026-03-04'),
    newLoginMailKey('u', { ...here, network: '198.51.100.0/24' }, '2026-03-04'),
  ]
  expect(new Set(keys).size).toBe(5)
  expect(newLoginMailKey('u', { ...here }, '2026-03-04')).toBe(keys[0])
})
