import { expect, test } from 'vitest'
import { holdsNights } from './application-status.ts'

const stay = { requestedEndDate: '2026-06-10', leaseEndDate: null }

test.each([
  ['approved', '2026-06-09', true],
  ['completed', '2026-06-09', true],
  ['approved', '2026-06-10', false],
  ['pending', '2026-06-09', false],
  ['rejected', '2026-06-09', false],
  ['draft', '2026-06-09', false],
])('a booked stay that is not over holds its nights: %s on %s [LOOK-07]', (status, today, held) => {
  expect(holdsNights({ status, ...stay }, today)).toBe(held)
})

test("the lease's dates take precedence over the requested ones [LOOK-07]", () => {
  const extended = { status: 'approved', requestedEndDate: '2026-06-10', leaseEndDate: '2026-06-20' }
  expect(holdsNights(extended, '2026-06-15')).toBe(true)
  expect(holdsNights({ ...extended, leaseEndDate: '2026-06-05' }, '2026-06-07')).toBe(false)
})
