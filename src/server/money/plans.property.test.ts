import { randomUUID } from 'node:crypto'
import { TRPCError } from '@trpc/server'
import { eq, isNotNull, isNull } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applications,
  charges,
  installments,
  leases,
  paymentPlans,
  payments,
  propertySettings,
} from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { addDays, dateIn } from '../../domain/common/dates.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { laterKinds } from '../../domain/money/later-charge.ts'
import { generatedKinds, planChoices, scheduleText, settingKinds } from '../../domain/money/payment-plan.ts'
import { planMismatchCents } from '../../domain/money/payment-plan-charges.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { makeLease, storedLease } from '../../testing/build-lease.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { fixedLateFee } from '../../testing/build-plan.ts'
import { expectSameMoney } from '../../testing/money-views.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { activeCharges, liveInstallments, planOf } from './records.ts'

const isLong = process.env.LONG !== undefined
const { numRuns, maxLength } = isLong ? { numRuns: 100, maxLength: 30 } : { numRuns: 12, maxLength: 16 }

type Step =
  | {
      do: 'set'
      kind: (typeof settingKinds)[number]
      percent: number
      daysBeforeArrival: number
      isLateFree: boolean
    }
  | {
      do: 'generate'
      plan?: (typeof planChoices)[number]
      rent: number
      deposit: number
      end: string
      fees?: number[]
      own?: { cents: number; taxable: boolean }[]
    }
  | { do: 'choose'; kind: (typeof planChoices)[number]; isStale: boolean }
  | { do: 'enter'; parts: { cents: number; dueDate: string | null }[] }
  | { do: 'edit'; firstName: string; end: string }
  | { do: 'editAsTenant'; firstName: string; coApplicant: string }
  | { do: 'add'; kind: (typeof laterKinds)[number]; cents: number; taxable: boolean }
  | { do: 'void' | 'waive'; which: number }
  | { do: 'postpone'; which: number; days: number; cents: number | undefined }
  | { do: 'lateFee'; which: number; isCharged: boolean }
  | { do: 'pay'; type: 'rent' | 'deposit'; cents: number }
  | { do: 'fromBank'; cents: number; outcome: 'succeeded' | 'failed' | undefined }
  | { do: 'giveBack'; kind: 'refund' | 'deposit_return' | 'deduction'; cents: number }
  | { do: 'sign' | 'unsign' | 'delete' }
  | { do: 'wait'; days: number }

const cents = fc.integer({ min: 1, max: 400_000 })
const end = fc.constantFrom('2026-06-20', '2026-07-01', '2026-08-15', '2026-12-01')
const which = fc.nat(9)
const add: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('add' as const),
  kind: fc.constantFrom(...laterKinds),
  cents,
  taxable: fc.boolean(),
})
const change: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('void' as const, 'waive' as const, 'waive' as const), which }),
  fc.record({
    do: fc.constant('postpone' as const),
    which,
    days: fc.nat(370),
    cents: fc.option(cents, { nil: undefined }),
  }),
  fc.record({ do: fc.constant('lateFee' as const), which, isCharged: fc.boolean() }),
)
const money: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('pay' as const),
    type: fc.constantFrom('rent' as const, 'deposit' as const),
    cents,
  }),
  fc.record({
    do: fc.constant('fromBank' as const),
    cents,
    outcome: fc.constantFrom('succeeded' as const, 'failed' as const, undefined),
  }),
  fc.record({
    do: fc.constant('giveBack' as const),
    kind: fc.constantFrom('refund' as const, 'deposit_return' as const, 'deduction' as const),
    cents,
  }),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      kind: fc.constantFrom(...settingKinds),
      percent: fc.integer({ min: 1, max: 99 }),
      daysBeforeArrival: fc.integer({ min: 0, max: 120 }),
      isLateFree: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('editAsTenant' as const),
      firstName: fc.constantFrom('Ada', 'Zoe'),
      coApplicant: fc.constantFrom('', 'Lee'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        do: fc.constant('generate' as const),
        plan: fc.constantFrom(...planChoices),
        rent: fc.integer({ min: 0, max: 500_000 }),
        deposit: fc.constantFrom(0, 500_00),
        end,
        fees: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
        own: fc.array(fc.record({ cents, taxable: fc.boolean() }), { maxLength: 3 }),
      },
      { requiredKeys: ['do', 'rent', 'deposit', 'end'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('choose' as const),
      kind: fc.constantFrom(...planChoices),
      isStale: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('enter' as const),
      parts: fc.array(
        fc.record({
          cents,
          dueDate: fc.constantFrom(null, '2026-03-04', '2026-05-01', '2026-06-20', '2026-08-15'),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('edit' as const), firstName: fc.constantFrom('Ada', 'Zoe'), end }),
  },
  { weight: 3, arbitrary: add },
  { weight: 3, arbitrary: change },
  { weight: 4, arbitrary: money },
  fc.record({ do: fc.constantFrom('sign' as const, 'sign' as const, 'unsign' as const, 'delete' as const) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
)
/** Steps that are typical for a signed lease, between signing and removing the signature. */
const signed = fc
  .array(
    fc.oneof(
      add,
      change,
      money,
      fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((steps): Step[] => [{ do: 'sign' }, ...steps, { do: 'unsign' }])
const story = fc
  .array(fc.oneof({ weight: 4, arbitrary: step.map(one => [one]) }, signed), { minLength: 5, maxLength })
  .map(steps => steps.flat())

test(
  'any sequence of settings, edits, charges, payments, plan changes and signatures keeps plan, text, taxes and balance in sync [PLAN-04, PLAN-07, PLAN-18, PLAN-20, CHG-01, CHG-25]',
  async () => {
    const run = async (steps: Step[]) => {
      const site = await world()
      for (const [at, step] of steps.entries()) {
        const before = site.stored()
        const error: unknown = await site.act(step).then(
          () => undefined,
          (error: unknown) => error,
        )
        if (error) {
          if (!(error instanceof TRPCError && ['CONFLICT', 'BAD_REQUEST', 'NOT_FOUND'].includes(error.code)))
            throw error
          expect(site.stored()).toEqual(before)
        }
        site.check(before)
        if (step.do === 'editAsTenant') site.checkKept(before)
        if (at % 5 === 4 || at === steps.length - 1) await site.checkMoney()
      }
      // The test signs the lease directly in the database, so the lease has no file.
      const { faults } = await verifyStore(site.app.deps.config, () => {})
      expect(faults.filter(fault => !fault.includes('signed leases without their file'))).toEqual([])
    }
    await fc.assert(fc.asyncProperty(story, run), {
      numRuns,
      endOnFailure: true,
    })
  },
  isLong ? 3_600_000 : 60_000,
)

async function world() {
  const app = await testApp()
  const { db, write } = app.deps
  const { admin, id, tenant } = await makeLease(app)
  const owner = app.as(admin as Admin)
  const fees = [
    buildFeeRule({ amountCents: 33_33 }),
    buildFeeRule({ name: 'Linen', per: 'guest', amountCents: 17_77, taxable: false }),
    buildFeeRule({ name: 'Resort fee', per: 'rent', amountCents: null, basisPoints: 333 }),
    buildFeeRule({ kind: 'discount', name: 'Early', per: 'night', amountCents: 1_11 }),
  ]
  const feeIds: string[] = []
  for (const fee of fees) feeIds.push((await owner.chargeRules.createFee(fee)).fee.id)
  for (const tax of [
    { basisPoints: 667 },
    { name: 'County tax', authority: 'B', basisPoints: 333, onFees: false },
    { name: 'Bed tax', authority: 'C', basisPoints: 125, onRent: false },
  ])
    await owner.chargeRules.createTax(buildTaxRule(tax))
  const stored = () => ({
    charges: db.select().from(charges).all(),
    instalments: db.select().from(installments).all(),
    plan: db.select().from(paymentPlans).get(),
    leases: db.select().from(leases).all(),
    settings: db.select().from(propertySettings).all(),
    payments: db.select().from(payments).all(),
    total: db.select().from(applications).get()?.totalCents,
  })
  const version = () => planOf(db, id)?.version ?? 0
  const today = () => dateIn(app.deps.clock.now(), app.deps.config.site.timeZone)
  const rowAt = (which: number) => {
    const live = liveInstallments(db, id)
    return live[which % Math.max(1, live.length)]?.id ?? 'nothing'
  }
  /** Rows that replaced those of the signed text. */
  const postponed = new Set<string>()
  const act = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case 'set': {
        const { version } = await owner.settings.plan.get()
        const { daysBeforeArrival, kind, percent } = step
        const lateFee = step.isLateFree ? { kind: 'none' as const } : fixedLateFee
        const body = { kind, splitPercent: percent, daysBeforeArrival, lateFee }
        return owner.settings.plan.save({ version, body })
      }
      case 'generate': {
        const terms = { rentalAmount: step.rent / 100, depositAmount: step.deposit }
        return owner.leases.generate({
          applicationId: id,
          leaseStartDate: '2026-06-01',
          leaseEndDate: step.end,
          plan: step.plan,
          ...terms,
          ...(step.fees && { feeIds: step.fees.map(at => feeIds[at] ?? '') }),
          extraLines: step.own?.map(({ cents: amountCents, taxable }) => ({
            kind: 'fee' as const,
            label: 'Own',
            amountCents,
            taxable,
          })),
        })
      }
      case 'choose':
        return owner.leases.changePlan({
          applicationId: id,
          version: version() + (step.isStale ? 1 : 0),
          kind: step.kind,
        })
      case 'enter': {
        // The last part gets the remainder, which may be negative.
        const parts = step.parts.map(({ cents, dueDate }) => ({ amountCents: cents, dueDate }))
        const total = sumOf(
          activeCharges(db, id).filter(({ kind, source }) => source === 'lease' && kind !== 'deposit'),
        )
        const instalments = [...parts, { amountCents: total - sumOf(parts), dueDate: null }]
        return owner.leases.changePlan({ applicationId: id, version: version(), instalments })
      }
      case 'edit':
        return owner.applications.adminEdit({ id, firstName: step.firstName, requestedEndDate: step.end })
      case 'editAsTenant': {
        const { application } = await app.as(tenant).applications.get({ id })
        const { coApplicant, firstName } = step
        const names = { secondApplicantFirstName: coApplicant, secondApplicantLastName: coApplicant }
        return app.as(tenant).applications.update({ ...application, ...names, firstName })
      }
      case 'add':
        return owner.charges.add({
          applicationId: id,
          kind: step.kind,
          label: step.kind,
          amountCents: step.cents,
          taxable: step.taxable,
        })
      case 'void': {
        const { charges } = await owner.charges.list({ applicationId: id })
        const charge = charges[step.which % Math.max(1, charges.length)]
        return owner.charges.void({ chargeId: charge?.id ?? 'nothing', reason: 'A mistake' })
      }
      case 'waive':
        return owner.plans.waive({ id: rowAt(step.which), reason: 'The pool was closed' })
      case 'postpone': {
        const { cents: amountCents, days, which } = step
        const dueDate = addDays(today(), days)
        const known = liveInstallments(db, id).map(row => row.id)
        await owner.plans.postpone({ id: rowAt(which), dueDate, amountCents, reason: 'Asked' })
        for (const row of liveInstallments(db, id)) if (!known.includes(row.id)) postponed.add(row.id)
        return
      }
      case 'lateFee': {
        const { chargeLateFee, dismissLateFee } = owner.plans
        const late = (await owner.plans.show({ applicationId: id })).instalments.find(row => row.lateFee)
        const row = { id: late?.id ?? rowAt(step.which) }
        return step.isCharged ? chargeLateFee(row) : dismissLateFee(row)
      }
      case 'pay': {
        const { cents: amount, type: paymentType } = step
        return owner.payments.addManual({ ...buildManualPayment(id, { amount }), paymentType })
      }
      case 'fromBank': {
        const createdAt = app.deps.clock.now().toISOString()
        const row = { type: 'rent', method: 'card', providerMethod: 'us_bank_account' } as const
        const paid = { id: randomUUID(), userId: tenant.userId, applicationId: id, amountCents: step.cents }
        return write(tx => {
          tx.insert(payments)
            .values({ ...row, ...paid, status: 'processing', createdAt })
            .run()
          if (step.outcome)
            tx.update(payments)
              .set({ status: step.outcome, paidAt: step.outcome === 'failed' ? null : createdAt })
              .where(eq(payments.status, 'processing'))
              .run()
        })
      }
      case 'giveBack': {
        const { cents: amount, kind } = step
        return owner.payments.recordReturn({ applicationId: id, kind, amount, reason: 'Asked' })
      }
      case 'delete':
        return owner.leases.adminRemove({ id })
      case 'wait':
        return app.advance(step.days * 86_400_000)
      default: {
        const [signedAt, isOther] =
          step.do === 'sign' ? [app.deps.clock.now().toISOString(), isNull] : [null, isNotNull]
        return write(tx => tx.update(leases).set({ signedAt }).where(isOther(leases.signedAt)).run())
      }
    }
  }
  /** Recomputes total and taxes in BigInt from the charges. */
  const checkCharges = () => {
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
  }
  /** Checks the invariants after each step, from the rows. */
  const check = (before: ReturnType<typeof stored>) => {
    checkCharges()
    const { lease } = storedLease(app, id)
    const plan = planOf(db, id)
    const live = liveInstallments(db, id)
    if (!plan) return expect(live).toEqual([])
    expect(planMismatchCents(live, stored().charges)).toBe(0)
    const active = activeCharges(db, id)
    const isCredit = ({ amountCents, kind, source }: (typeof active)[number]) =>
      amountCents < 0 && source !== 'lease' && !(source === 'plan' && kind === 'adjustment')
    expect(sumOf(live)).toBe(sumOf(active.filter(charge => !isCredit(charge))))
    const others = before.plan && before.leases.find(({ voidedAt }) => voidedAt === null)
    if (others?.signedAt && lease?.signedAt) expect([plan, lease]).toEqual([before.plan, others])
    if (before.plan) expect(plan.version).toBeGreaterThanOrEqual(before.plan.version)
    const isWritten = live.every(
      row => row.chargeId !== null || (row.waivedAt === null && !postponed.has(row.id)),
    )
    if (isWritten) expect(lease?.text).toContain(scheduleText(live, plan.lateFee))
    const payments = live.filter(({ id, kind }) => kind === 'lease' && !postponed.has(id))
    const dates = payments.map(({ dueDate }) => dueDate ?? '')
    expect(dates).toEqual(dates.toSorted())
    if (plan.kind !== 'custom') expect(generatedKinds).toContain(plan.kind)
  }
  /** A tenant's edit keeps kind, late fee and dates, and every row if the lease's total stays. */
  const checkKept = (before: ReturnType<typeof stored>) => {
    const after = stored()
    expect([after.plan?.kind, after.plan?.lateFee]).toEqual([before.plan?.kind, before.plan?.lateFee])
    const totals = ({ charges }: typeof after) => sumOf(charges.filter(({ source }) => source === 'lease'))
    if (totals(after) === totals(before)) return expect(after.instalments).toEqual(before.instalments)
    const open = ({ instalments }: typeof after) =>
      instalments.filter(row => row.supersededAt === null && row.chargeId === null && row.amountCents > 0)
    const dates = (of: typeof after) => [
      ...new Set(open(of).map(({ dueDate }) => (dueDate && dueDate > today() ? dueDate : null))),
    ]
    const later = dates(after).filter(date => date !== null)
    return expect(dates(before)).toEqual(expect.arrayContaining(later))
  }
  const checkMoney = () => expectSameMoney(app, admin as Admin, [tenant])
  return { app, stored, act, check, checkKept, checkMoney }
}
