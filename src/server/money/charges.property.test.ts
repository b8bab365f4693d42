import { TRPCError } from '@trpc/server'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applications, charges, leases } from '../../../db/schema.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { laterKinds } from '../../domain/money/later-charge.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { makeLease } from '../../testing/build-lease.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifyStore } from '../operations/backup/verify.ts'

type Step =
  | { do: 'add'; kind: (typeof laterKinds)[number]; cents: number; taxable: boolean }
  | { do: 'void'; which: number }
  | { do: 'generate'; rent: number; fees: number[]; own: { cents: number; taxable: boolean }[] }
  | { do: 'delete' | 'sign' }

const cents = fc.integer({ min: 1, max: 400_000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      kind: fc.constantFrom(...laterKinds),
      cents,
      taxable: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('void' as const), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('generate' as const),
      rent: fc.integer({ min: 0, max: 500_000 }),
      fees: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
      own: fc.array(fc.record({ cents, taxable: fc.boolean() }), { maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('delete' as const, 'sign' as const, 'sign' as const) }),
  },
)

test('any sequence of generating, adding and voiding keeps the total and the taxes on later charges right [CHG-01, CHG-23, CHG-25]', async () => {
  const run = async (steps: Step[]) => {
    const site = await world()
    for (const step of steps) {
      const before = site.stored()
      const error = await site.act(step).then(
        () => undefined,
        (error: unknown) => error,
      )
      if (error) {
        if (!(error instanceof TRPCError && ['CONFLICT', 'BAD_REQUEST', 'NOT_FOUND'].includes(error.code)))
          throw error
        expect(site.stored()).toEqual(before)
      }
      site.check()
    }
    // The test signs the lease directly in the database, so the lease has no file.
    const { faults } = await verifyStore(site.app.deps.config, () => {})
    expect(faults.filter(fault => !fault.includes('signed leases without their file'))).toEqual([])
  }
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), run), { numRuns: 10 })
}, 60_000)

async function world() {
  const app = await testApp()
  const { db, write } = app.deps
  const { admin, id } = await makeLease(app)
  const owner = app.as(admin)
  const fees = [
    buildFeeRule({ amountCents: 33_33 }),
    buildFeeRule({ name: 'Linen', per: 'guest', amountCents: 12_50, taxable: false }),
    buildFeeRule({ name: 'Resort fee', per: 'rent', amountCents: null, basisPoints: 333 }),
    buildFeeRule({ kind: 'discount', name: 'Early', per: 'night', amountCents: 1_11 }),
  ]
  const ids: string[] = []
  for (const fee of fees) ids.push((await owner.charges.createFee(fee)).fee.id)
  await owner.charges.createTax(buildTaxRule({ basisPoints: 667 }))
  await owner.charges.createTax(
    buildTaxRule({ name: 'County tax', authority: 'B', basisPoints: 333, onFees: false }),
  )
  await owner.charges.createTax(
    buildTaxRule({ name: 'Bed tax', authority: 'C', basisPoints: 125, onRent: false }),
  )
  const stored = () => ({
    charges: db.select().from(charges).all(),
    leases: db.select().from(leases).all(),
    total: db.select().from(applications).get()?.totalCents,
  })
  return {
    app,
    stored,
    act: async (step: Step): Promise<unknown> => {
      if (step.do === 'add') {
        const { cents: amountCents, kind, taxable } = step
        return owner.billing.addCharge({ applicationId: id, kind, label: kind, amountCents, taxable })
      }
      if (step.do === 'void') {
        const { charges } = await owner.billing.charges({ applicationId: id })
        const charge = charges[step.which % Math.max(1, charges.length)]
        return owner.billing.voidCharge({ chargeId: charge?.id ?? 'nothing', reason: 'A mistake' })
      }
      if (step.do === 'delete') return owner.leases.adminRemove({ id })
      if (step.do === 'sign')
        return write(tx => tx.update(leases).set({ signedAt: '2026-03-05T12:00:00.000Z' }).run())
      if (step.do !== 'generate') throw new Error('no such step')
      const { own, rent } = step
      return owner.leases.generate({
        applicationId: id,
        rentalAmount: rent / 100,
        feeIds: step.fees.map(at => ids[at] ?? ''),
        extraLines: own.map(({ cents, taxable }) => ({
          kind: 'fee',
          label: 'Own',
          amountCents: cents,
          taxable,
        })),
      })
    },
    /** Recomputes the sums in BigInt from the charges. */
    check: () => {
      const { charges: all, total } = stored()
      const active = all.filter(({ voidedAt }) => voidedAt === null)
      expect(total).toBe(sumOf(active))
      expect(sumOf(active.filter(({ kind }) => kind !== 'deposit'))).toBeGreaterThanOrEqual(0)
      const later = active.filter(row => row.source === 'owner' && row.kind !== 'tax' && row.taxable)
      const taxes = active.filter(row => row.kind === 'tax')
      for (const tax of taxes.filter(({ source }) => source === 'lease')) {
        const counts = ({ kind }: { kind: string }) => (kind === 'discount' ? tax.onRent : tax.onFees)
        const added = BigInt(sumOf(later.filter(counts)))
        const base = BigInt(tax.baseCents ?? 0)
        const rate = BigInt(tax.rateBasisPoints ?? 0)
        const of = (cents: bigint) => ((cents < 0n ? 0n : cents) * rate * 2n + 10_000n) / 20_000n
        expect(BigInt(tax.amountCents)).toBe(of(base))
        const further = taxes.filter(row => row.source === 'owner' && row.taxRuleId === tax.taxRuleId)
        expect(further).toHaveLength(added === 0n ? 0 : 1)
        expect(BigInt(sumOf(further))).toBe(of(base + added) - of(base))
      }
      const known = taxes.flatMap(row => (row.source === 'lease' ? [row.taxRuleId] : []))
      expect(taxes.filter(({ taxRuleId }) => !known.includes(taxRuleId))).toEqual([])
    },
  }
}
