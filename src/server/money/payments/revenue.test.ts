import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { payments } from '../../../../db/schema.ts'
import {
  creditedCents,
  depositHeldCents,
  feeKeptCents,
  type LedgerRow,
  paymentStatuses,
  paymentTypes,
} from '../../../domain/money/ledger.ts'
import { isRevenue, localRevenueMonth } from '../../../domain/money/revenue.ts'
import { proven, type TestApp, testApp, testNow } from '../../../testing/test-app.ts'
import { textOf } from '../../../testing/text-of.ts'
import { revenueCsv } from './revenue.ts'

const timeZone = 'America/New_York'
const moment = fc
  .date({ min: new Date('2024-11-01T00:00:00Z'), max: new Date('2026-03-04T17:00:00Z'), noInvalidDate: true })
  .map(date => date.toISOString())
const cents = fc.integer({ min: 1, max: 5_000_000 })

const anyRow: fc.Arbitrary<LedgerRow> = fc
  .record({
    type: fc.constantFrom(...paymentTypes),
    method: fc.constantFrom('card' as const, 'manual' as const, 'transfer' as const),
    status: fc.constantFrom('succeeded' as const, 'succeeded' as const, ...paymentStatuses),
    amountCents: cents,
    feeCents: fc.nat({ max: 150_000 }),
    refunded: fc.double({ min: 0, max: 1, noNaN: true }),
    paidAt: fc.option(moment),
    voidedAt: fc.option(moment, { freq: 8 }).map(at => (at === null ? '2026-01-01T00:00:00.000Z' : null)),
    isNegative: fc.boolean(),
  })
  .map(({ isNegative, refunded, ...row }) => ({
    ...row,
    // A succeeded row has a date; a returned amount is negative.
    paidAt: row.status === 'succeeded' ? (row.paidAt ?? '2025-06-01T03:59:59.999Z') : row.paidAt,
    amountCents: isNegative && row.method !== 'card' ? -row.amountCents : row.amountCents,
    refundedAmountCents: row.method === 'card' ? Math.floor(row.amountCents * refunded) : 0,
    refundedFeeCents: row.method === 'card' ? Math.floor(row.feeCents * refunded) : 0,
    lostAmountCents: 0,
  }))

/**
 * Inserts other values first and then updates each row, so that the stored sums must follow inserts, updates and
 * deletes.
 */
async function replaceRows(app: TestApp, userId: string, rows: readonly LedgerRow[]): Promise<void> {
  await app.deps.write(tx => {
    tx.delete(payments).run()
    for (const [i, row] of rows.entries()) {
      const id = randomUUID()
      const before = rows[(i * 7 + 3) % rows.length] ?? row
      tx.insert(payments)
        .values({ ...before, id, userId, createdAt: '2026-01-01T00:00:00.000Z' })
        .run()
      tx.update(payments).set(row).where(eq(payments.id, id)).run()
    }
  })
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const both = (row: LedgerRow) => creditedCents(row) + feeKeptCents(row)

test.each([timeZone, 'Asia/Kolkata'])(
  'the revenue equals the ledger to the cent, for any rows and period [REV-07, REV-08, REST-14, LOOK-86] (%s)',
  async timeZone => {
    const app = await testApp({ env: { PROPERTY_TIMEZONE: timeZone } })
    const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
    const periods = fc.constantFrom(
      {},
      { period: 'year' as const, year: 2025 },
      { period: 'month' as const, year: 2025, month: 11 },
      { period: 'month' as const, year: 2025, month: 6 },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 25 }), periods, async (rows, period) => {
        await replaceRows(app, tenant.userId, rows)
        const found = await app.as(admin).payments.revenueSummary(period)
        const prefix =
          'year' in period ? [period.year, 'month' in period && String(period.month).padStart(2, '0')] : []
        const inPeriod = rows.filter(
          row =>
            isRevenue(row) &&
            localRevenueMonth(row.paidAt ?? '', timeZone).startsWith(prefix.filter(Boolean).join('-')),
        )
        expect(found.summary).toMatchObject({
          netRevenue: sum(inPeriod.map(creditedCents)),
          totalFees: sum(inPeriod.map(feeKeptCents)),
          totalRevenue: sum(inPeriod.map(both)),
          paymentCount: inPeriod.filter(({ amountCents }) => amountCents > 0).length,
        })
        expect(found.payments).toHaveLength(inPeriod.length)
        expect(found.heldDeposits).toBe(Math.max(0, depositHeldCents(rows)))
        expect(sum(Object.values(found.monthlyRevenue))).toBe(found.summary.totalRevenue)
        expect(sum(Object.values(found.revenueByType).map(({ amount }) => amount))).toBe(
          found.summary.totalRevenue,
        )
        for (const [month, amount] of Object.entries(found.monthlyRevenue))
          expect(amount).toBe(
            sum(inPeriod.filter(row => localRevenueMonth(row.paidAt ?? '', timeZone) === month).map(both)),
          )
      }),
      { numRuns: 60 },
    )
  },
)

test('all time shows at least the last twelve months, even without revenue; a period shows its own months', async () => {
  const app = await testApp({ env: { PROPERTY_TIMEZONE: timeZone } })
  const admin = await app.makeAdmin()
  const months = async (input = {}) =>
    Object.keys((await app.as(admin).payments.revenueSummary(input)).monthlyRevenue)
  const all = await months()
  expect([all.length, all[0], all.at(-1)]).toEqual([12, '2025-04', '2026-03'])
  expect(await months({ period: 'year', year: 2025 })).toHaveLength(12)
  expect(await months({ period: 'month', year: 2025, month: 2 })).toEqual(['2025-02'])
  expect((await app.as(admin).payments.revenueSummary()).summary).toEqual({
    totalRevenue: 0,
    netRevenue: 0,
    totalFees: 0,
    paymentCount: 0,
    averagePayment: 0,
  })
})

test("counts a payment in the last hour of a month in the property's month", async () => {
  const app = await testApp({ env: { PROPERTY_TIMEZONE: timeZone } })
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const row = {
    type: 'rent',
    method: 'manual',
    status: 'succeeded',
    amountCents: 100_00,
    feeCents: 0,
    refundedAmountCents: 0,
    refundedFeeCents: 0,
    lostAmountCents: 0,
    voidedAt: null,
  } as const
  await replaceRows(app, tenant.userId, [
    { ...row, paidAt: '2026-01-01T04:59:59.999Z' },
    { ...row, paidAt: '2026-01-01T05:00:00.000Z', amountCents: 200_00 },
  ])
  const total = async (input: object) =>
    (await app.as(admin).payments.revenueSummary(input)).summary.totalRevenue
  expect(await total({ period: 'year', year: 2025 })).toBe(100_00)
  expect(await total({ period: 'month', year: 2026, month: 1 })).toBe(200_00)
})

test('rejects a period without a valid year or month', async () => {
  const app = await testApp()
  const admin = await app.makeAdmin()
  const wrong = [
    { period: 'year' },
    { period: 'month', year: 2026 },
    { period: 'month', year: 2026, month: 13 },
    { period: 'year', year: 2026.5 },
    { period: 'week', year: 2026 },
  ]
  for (const input of wrong)
    await expect(app.as(admin).payments.revenueSummary(input as { period: 'year' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    })
})

test('the summary includes the newest payments, the export all of them', async () => {
  const app = await testApp({ env: { PROPERTY_TIMEZONE: timeZone } })
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const rows = Array.from({ length: 130 }, (_, i) => ({
    type: 'rent' as const,
    method: 'manual' as const,
    status: 'succeeded' as const,
    amountCents: 1_00 + i,
    feeCents: 0,
    refundedAmountCents: 0,
    refundedFeeCents: 0,
    lostAmountCents: 0,
    paidAt: new Date(Date.parse('2025-05-01T12:00:00Z') + i * 3_600_000).toISOString(),
    voidedAt: null,
  }))
  await replaceRows(app, tenant.userId, rows.toReversed())
  const found = await app.as(admin).payments.revenueSummary()
  expect(found.payments.map(each => each.amount)).toEqual(
    rows
      .slice(30)
      .map(each => each.amountCents)
      .reverse(),
  )
  expect(found.summary.paymentCount).toBe(130)
  const csv = await textOf(revenueCsv(app.deps, proven(app.deps, admin), {}).parts)
  expect(csv.trim().split('\r\n')).toHaveLength(131)
})

test('the deposits of deleted bookings of one person are held apart from each other [LOOK-86]', async () => {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const row = (id: string, formerApplicationId: string, amountCents: number) => ({
    id,
    userId: tenant.userId,
    formerApplicationId,
    amountCents,
    status: 'succeeded' as const,
    type: amountCents < 0 ? ('deposit_return' as const) : ('deposit' as const),
    method: 'manual' as const,
    paidAt: testNow,
    createdAt: testNow,
    updatedAt: testNow,
  })
  const rows = [row('lost', 'one', -500_00), row('held', 'two', 500_00)]
  await app.deps.write(tx => tx.insert(payments).values(rows).run())
  expect((await app.as(admin).payments.revenueSummary({})).heldDeposits).toBe(500_00)
})
