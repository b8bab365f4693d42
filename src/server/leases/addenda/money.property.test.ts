import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applications, leases } from '../../../../db/schema.ts'
import { addDays } from '../../../domain/common/dates.ts'
import { sumOf } from '../../../domain/money/charge.ts'
import { termRent } from '../../../domain/money/lease-terms.ts'
import { planMismatchCents } from '../../../domain/money/payment-plan-charges.ts'
import { buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { makeLease, scanPdf, signLease } from '../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { preparedSite } from '../../../testing/test-app.ts'
import { allCharges, liveInstallments } from '../../money/records.ts'
import { uploadSignedAddendum } from './upload.ts'

/** A signed lease with a monthly plan and a tax on rent and fees. */
const prepared = preparedSite(async app => {
  const owner = await app.makeAdmin()
  await app.as(owner).chargeRules.createTax(buildTaxRule({ maxNights: 150 }))
  const lease = await makeLease(app)
  await app.as(owner).leases.generate({
    applicationId: lease.id,
    leaseEndDate: '2026-08-15',
    rentalAmount: 2500,
    plan: 'monthly',
  })
  await signLease(app, lease.tenant, lease.id)
  return lease
})

const step = fc.oneof(
  fc.record({
    kind: fc.constant('addendum' as const),
    days: fc.integer({ min: -20, max: 90 }),
    rent: fc.integer({ min: 1000, max: 4000 }),
    deposit: fc.integer({ min: 0, max: 1500 }),
    line: fc.option(fc.integer({ min: -300_00, max: 300_00 }).filter(cents => cents !== 0)),
    signs: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('payment' as const), cents: fc.integer({ min: 1, max: 3000_00 }) }),
  fc.record({
    kind: fc.constant('charge' as const),
    cents: fc.integer({ min: 1, max: 500_00 }),
    taxable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('waive' as const), at: fc.nat(20) }),
)

test('any addenda, payments, waivers and later charges keep charges, installments and taxes in step [CHANGE-20, CHANGE-35, CHANGE-36, CHANGE-37, CHANGE-38]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async steps => {
      const { admin, app, id, tenant } = await prepared()
      const { db } = app.deps
      const as = app.as(admin)
      const rowOf = () => db.select().from(applications).where(eq(applications.id, id)).get()
      for (const each of steps) {
        const end = rowOf()?.stayEndDate ?? ''
        const isRefused = (error: Error & { code?: string }) => {
          if (
            !/less than nothing|Nothing would change|must be after|three years|Only|owed|waived|payment/.test(
              error.message,
            )
          )
            throw error
        }
        if (each.kind === 'addendum') {
          const made = await as.addenda
            .make({
              applicationId: id,
              leaseEndDate: addDays(end, each.days),
              rentalAmount: each.rent,
              depositAmount: each.deposit,
              ...(each.line && {
                lines: [
                  {
                    kind: 'adjustment' as const,
                    label: 'More or less',
                    amountCents: each.line,
                    taxable: true,
                  },
                ],
              }),
            })
            .catch(isRefused)
          if (!made) continue
          const { addendum } = made
          if (!each.signs) {
            await as.addenda.withdraw({ addendumId: addendum.id })
            continue
          }
          const before = rowOf()?.totalCents ?? 0
          const later = laterTaxes(allCharges(db, id))
          await uploadSignedAddendum(app.deps, tenant, { id: addendum.id, content: scanPdf(), name: 'a.pdf' })
          const laterAfter = laterTaxes(allCharges(db, id))
          expect((rowOf()?.totalCents ?? 0) - laterAfter).toBe(before - later + addendum.differenceCents)
          expect(rowOf()?.stayEndDate).toBe(addendum.after.leaseEndDate)
        } else if (each.kind === 'payment')
          await as.payments.addManual(buildManualPayment(id, { amount: each.cents }))
        else if (each.kind === 'charge')
          await as.charges.add({
            applicationId: id,
            kind: 'fee',
            label: 'Later',
            amountCents: each.cents,
            taxable: each.taxable,
          })
        else {
          const open = liveInstallments(db, id).filter(
            ({ amountCents, kind }) => amountCents > 0 && kind !== 'deposit',
          )
          const one = open[each.at % Math.max(1, open.length)]
          if (one) await as.plans.waive({ id: one.id, reason: 'Kindness' }).catch(isRefused)
        }
        const row = rowOf()
        const charges = allCharges(db, id)
        const active = charges.filter(({ voidedAt }) => voidedAt === null)
        expect(row?.totalCents).toBe(sumOf(active))
        expect(planMismatchCents(liveInstallments(db, id), charges)).toBe(0)
        const { depositCents = 0, rentCents = 0, stayEndDate = '', stayStartDate = '' } = row ?? {}
        const sumOfKind = (kind: string) =>
          sumOf(
            active.filter(one => one.kind === kind && (one.source === 'lease' || one.source === 'addendum')),
          )
        expect(sumOfKind('rent')).toBe(termRent(stayStartDate, stayEndDate, rentCents ?? 0).totalCents)
        expect(sumOfKind('deposit')).toBe(depositCents)
        for (const { dueDate, kind, openCents } of (await as.plans.show({ applicationId: id })).instalments)
          if (kind === 'lease' && dueDate !== null && openCents > 0) expect(dueDate <= stayEndDate).toBe(true)
      }
      const lease = db.select().from(leases).where(eq(leases.kind, 'lease')).get()
      expect(lease?.endDate).toBe('2026-08-15')
    }),
    { numRuns: 12 },
  )
}, 120_000)

/** The taxes on later charges, which are written anew when an addendum changes their base. */
const laterTaxes = (charges: ReturnType<typeof allCharges>) =>
  sumOf(
    charges.filter(({ kind, source, voidedAt }) => kind === 'tax' && source === 'owner' && voidedAt === null),
  )
