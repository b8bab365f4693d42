import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applications } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { watchDeposits } from '../../../testing/build-evidence.ts'
import { makeLease, scanPdf } from '../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { setSigned } from '../../../testing/build-plan.ts'
import { preparedSite, testNow } from '../../../testing/test-app.ts'
import { uploadSignedAddendum } from '../../leases/addenda/upload.ts'
import { activeCharges } from '../../money/records.ts'

/** A signed June stay with a tax, a payment plan and a watched deposit. */
const prepared = preparedSite(async app => {
  const owner = await app.makeAdmin()
  await app.as(owner).chargeRules.createTax(buildTaxRule())
  const stay = await makeLease(app)
  await app.as(owner).leases.generate({ applicationId: stay.id, rentalAmount: 2500, plan: 'monthly' })
  await setSigned(app, stay.id, testNow)
  await watchDeposits(app, owner)
  return stay
})

const step = fc.oneof(
  fc.record({
    kind: fc.constantFrom('rent' as const, 'deposit' as const),
    cents: fc.integer({ min: 1, max: 3000_00 }),
  }),
  fc.record({
    kind: fc.constantFrom('fee' as const, 'discount' as const),
    cents: fc.integer({ min: 1, max: 500_00 }),
  }),
  fc.record({ kind: fc.constant('waive' as const), cents: fc.nat(5) }),
  fc.record({ kind: fc.constant('days' as const), cents: fc.nat(20) }),
  fc.record({ kind: fc.constant('addendum' as const), cents: fc.integer({ min: -20, max: 40 }) }),
)
const refusal = /less than nothing|Nothing would change|must be after|Only|owed|waived|payment/

test(
  'whatever was charged, agreed and paid, cancelling and reinstating at once gives the charges, plan and deposit of before [CHANGE-16]',
  async () => {
    const story = fc.array(step, { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(story, fc.nat(100), async (steps, percent) => {
        const { admin, app, id: applicationId, tenant } = await prepared()
        const { db } = app.deps
        const owner = app.as(admin)
        const stayOf = () => db.select().from(applications).where(eq(applications.id, applicationId)).get()
        const run = async ({ cents, kind }: (typeof steps)[number]) => {
          if (kind === 'rent' || kind === 'deposit')
            return owner.payments.addManual({
              ...buildManualPayment(applicationId, { amount: cents }),
              paymentType: kind,
            })
          if (kind === 'days') return app.advance(cents * (dayMs / 2))
          if (kind === 'waive') {
            const { instalments } = await owner.plans.show({ applicationId })
            return owner.plans.waive({
              id: instalments[cents]?.id ?? instalments[0]?.id ?? '',
              reason: 'Kindness',
            })
          }
          if (kind === 'addendum') {
            const days = { leaseEndDate: addDays(stayOf()?.stayEndDate ?? '', cents), rentalAmount: 2000 }
            const terms = { applicationId, ...days, depositAmount: 500 + cents }
            const { addendum } = await owner.addenda.make(terms)
            return uploadSignedAddendum(app.deps, tenant, {
              id: addendum.id,
              content: scanPdf(),
              name: 'a.pdf',
            })
          }
          return owner.charges.add({ applicationId, kind, label: 'Later', amountCents: cents, taxable: true })
        }
        for (const each of steps)
          await run(each).catch((error: Error) => {
            if (!refusal.test(error.message)) throw error
          })
        const all = async () => {
          const { legs: _, ...deposit } = (await owner.deposits.get({ applicationId })).deposit ?? {
            legs: [],
          }
          const { instalments, plan, totals } = await owner.plans.show({ applicationId })
          const { rentCents, stayEndDate, stayStartDate, totalCents } = stayOf() ?? {}
          return {
            charges: activeCharges(db, applicationId).map(({ cancellationId: _, ...row }) => row),
            plan: { instalments, plan, totals },
            deposit,
            summary: (await owner.charges.list({ applicationId })).summary,
            stay: { rentCents, stayEndDate, stayStartDate, totalCents },
          }
        }
        const before = await all()
        const { proposal } = await owner.cancellations.adminGet({ applicationId, side: 'owner' })
        const least = proposal?.depositCents ?? 0
        const most = proposal?.paidCents ?? 0
        const refundCents = least + Math.floor(((most - least) * percent) / 100)
        await owner.cancellations.cancel({ applicationId, side: 'owner', reason: 'Storm', refundCents })
        expect(stayOf()?.status).toBe('cancelled')
        await owner.applications.adminSetStatus({ id: applicationId, status: 'approved' })
        expect(await all()).toEqual(before)
      }),
      { numRuns: process.env.LONG === undefined ? 6 : 200 },
    )
  },
  process.env.LONG === undefined ? 90_000 : 30 * 60_000,
)
