import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../common/dates.ts'
import {
  cancellationError,
  cancellationSection,
  daysBeforeStay,
  maxTiers,
  rebookedShareCents,
  refundOf,
  refundPercent,
} from './cancellation.ts'

const stay = { start: '2026-06-01', end: '2026-07-01' }
const tiers = [
  { daysBefore: 60, refundPercent: 100 },
  { daysBefore: 30, refundPercent: 50 },
]

test.each([
  ['approved', '2026-05-31', undefined],
  ['completed', '2026-05-31', undefined],
  ['pending', '2026-05-31', 'Only a booked stay can be cancelled.'],
  ['rejected', '2026-05-31', 'Only a booked stay can be cancelled.'],
  ['cancelled', '2026-05-31', 'This stay is cancelled already.'],
  ['approved', '2026-06-01', 'This stay has begun. Change it by an addendum.'],
])('%s on %s can be cancelled or not: %s [CHANGE-04]', (status, today, refusal) => {
  expect(cancellationError({ status, stay }, today)).toBe(refusal)
})

test('as shipped a tenant gets all of it back until 30 days before [CHANGE-07]', () => {
  expect(cancellationSection.body.parse({})).toEqual({ tiers: [{ daysBefore: 30, refundPercent: 100 }] })
})

const tier = (daysBefore: number, refundPercent: number) => ({ daysBefore, refundPercent })
test.each([
  ['the same day twice', [tier(30, 100), tier(30, 50)], 'tiers.1.daysBefore'],
  ['more back for less time', [tier(30, 50), tier(10, 60)], 'tiers.1.refundPercent'],
  ['more than all', [tier(30, 101)], 'tiers.0.refundPercent'],
  ['half a day', [tier(1.5, 10)], 'tiers.0.daysBefore'],
  ['more than a year', [tier(366, 10)], 'tiers.0.daysBefore'],
  ['six lines', Array.from({ length: maxTiers + 1 }, (_, i) => tier(10 - i, 0)), 'tiers'],
])('%s is refused at its field [CHANGE-07]', (_, all, field) => {
  const issues = cancellationSection.body.safeParse({ tiers: all }).error?.issues ?? []
  expect(issues.map(({ path }) => path.join('.'))).toContain(field)
})

test.each([
  ['owner', 0, 100],
  ['tenant', 61, 100],
  ['tenant', 60, 100],
  ['tenant', 59, 50],
  ['tenant', 30, 50],
  ['tenant', 29, 0],
] as const)('the %s cancels %i nights before: %i %% [CHANGE-08]', (side, nights, percent) => {
  expect(refundPercent(tiers, side, nights)).toBe(percent)
})

test('without a line nothing but the deposit goes back to a tenant [CHANGE-08]', () => {
  expect([refundPercent([], 'tenant', 300), refundPercent([], 'owner', 1)]).toEqual([0, 100])
})

test('the deposit goes back whole, of the rest a share that is rounded half up [CHANGE-09]', () => {
  const money = { paidCents: 1500_01, depositCents: 500_00, keptOfDepositCents: 0 }
  expect(refundOf(money, 50)).toMatchObject({ depositCents: 500_00, refundCents: 1000_01, keptCents: 500_00 })
  // More of a deposit than was paid in all, because other money went back.
  expect(refundOf({ ...money, paidCents: 300_00 }, 0)).toMatchObject({ depositCents: 300_00, keptCents: 0 })
  // What is kept of a deposit stays kept.
  expect(
    refundOf({ paidCents: 500_00, depositCents: 380_00, keptOfDepositCents: 120_00 }, 100),
  ).toMatchObject({
    refundCents: 380_00,
    keptCents: 120_00,
  })
})

test('whatever was paid on whatever day, what goes back and what is kept add up to it, and neither is below 0 [CHANGE-07, CHANGE-08, CHANGE-09]', () => {
  const anyTiers = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 365 }), { maxLength: maxTiers }),
      fc.array(fc.integer({ min: 0, max: 100 }), { minLength: maxTiers, maxLength: maxTiers }),
    )
    .map(([days, percents]) => {
      const falling = percents.toSorted((a, b) => b - a)
      return days.toSorted((a, b) => b - a).map((daysBefore, i) => tier(daysBefore, falling[i] ?? 0))
    })
  const cents = fc.integer({ min: -10_000_00, max: 10_000_000_00 })
  const money = fc.record({ paidCents: cents, depositCents: cents, keptOfDepositCents: fc.nat(10_000_00) })
  fc.assert(
    fc.property(
      anyTiers,
      money,
      fc.constantFrom('tenant' as const, 'owner' as const),
      // From a month after the first day to three years before it, most of it among the lines.
      fc.oneof(fc.integer({ min: -31, max: 370 }), fc.nat(3 * 366)),
      fc.nat(365),
      (all, ledger, side, days, later) => {
        expect(cancellationSection.body.safeParse({ tiers: all }).success).toBe(true)
        const start = addDays(stay.start, later)
        const nights = daysBeforeStay(addDays(start, -days), start)
        expect(nights).toBe(Math.max(0, days))
        const proposed = refundOf(ledger, refundPercent(all, side, nights))
        const { depositCents, keptCents, mostCents, paidCents, refundCents } = proposed
        expect(refundCents + keptCents).toBe(paidCents)
        expect(Math.min(keptCents, depositCents)).toBeGreaterThanOrEqual(0)
        expect(refundCents).toBeGreaterThanOrEqual(depositCents)
        expect(refundCents).toBeLessThanOrEqual(mostCents)
      },
    ),
  )
})

test('the share of nights that were booked again is rounded half up, and is all of it for all nights [CHANGE-17]', () => {
  expect(rebookedShareCents(1000_00, 10, 30)).toBe(333_33)
  expect(rebookedShareCents(1, 1, 2)).toBe(1)
  expect(rebookedShareCents(1000_00, 30, 30)).toBe(1000_00)
})
