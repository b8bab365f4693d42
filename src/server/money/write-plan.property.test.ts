import { TRPCError } from '@trpc/server'
import { isNotNull, isNull } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { charges, instalments, leases, paymentPlans, propertySettings } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { generatedKinds, planChoices, scheduleText, settingKinds } from '../../domain/money/payment-plan.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { makeLease, storedLease } from '../../testing/build-lease.ts'
import { fixedLateFee } from '../../testing/build-plan.ts'
import { testApp } from '../../testing/test-app.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { activeCharges, liveInstalments, planOf } from './records.ts'

type Step =
  | {
      do: 'set'
      kind: (typeof settingKinds)[number]
      percent: number
      daysBeforeArrival: number
      isLateFree: boolean
    }
  | { do: 'generate'; plan?: (typeof planChoices)[number]; rent: number; deposit: number; end: string }
  | { do: 'choose'; kind: (typeof planChoices)[number]; isStale: boolean }
  | { do: 'enter'; parts: { cents: number; dueDate: string | null }[] }
  | { do: 'edit'; firstName: string; end: string }
  | { do: 'editAsTenant'; firstName: string; coApplicant: string }
  | { do: 'add'; cents: number; taxable: boolean }
  | { do: 'void' | 'waive'; which: number }
  | { do: 'sign' | 'unsign' | 'delete' }
  | { do: 'wait'; days: number }

const cents = fc.integer({ min: 1, max: 400_000 })
const end = fc.constantFrom('2026-06-20', '2026-07-01', '2026-08-15', '2026-12-01')
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
  fc.record({ do: fc.constant('add' as const), cents, taxable: fc.boolean() }),
  fc.record({ do: fc.constantFrom('void' as const, 'waive' as const, 'waive' as const), which: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('sign' as const, 'sign' as const, 'unsign' as const, 'delete' as const) }),
  fc.record({ do: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 40 }) }),
)
/** Steps that are typical for a signed lease, between signing and removing the signature. */
const signed = fc
  .array(
    fc.oneof(
      fc.record({ do: fc.constant('add' as const), cents, taxable: fc.boolean() }),
      fc.record({
        do: fc.constantFrom('void' as const, 'waive' as const, 'waive' as const),
        which: fc.nat(9),
      }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((steps): Step[] => [{ do: 'sign' }, ...steps, { do: 'unsign' }])
const story = fc
  .array(fc.oneof({ weight: 4, arbitrary: step.map(one => [one]) }, signed), { minLength: 5, maxLength: 30 })
  .map(steps => steps.flat())

test('any sequence of settings, choices, edits, charges, waivers and signatures keeps plan, text and charges in sync [PLAN-04, PLAN-07, PLAN-18, PLAN-20]', async () => {
  const run = async (steps: Step[]) => {
    const site = await world()
    for (const step of steps) {
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
    }
    // The test signs the lease directly in the database, so the lease has no file.
    const { faults } = await verifyStore(site.app.deps.config, () => {})
    expect(faults.filter(fault => !fault.includes('signed leases without their file'))).toEqual([])
  }
  await fc.assert(fc.asyncProperty(story, run), { numRuns: process.env.LONG === undefined ? 8 : 100 })
}, 60_000)

async function world() {
  const app = await testApp()
  const { db, write } = app.deps
  const { admin, id, tenant } = await makeLease(app)
  const owner = app.as(admin as Admin)
  await owner.charges.createFee(buildFeeRule({ amountCents: 33_33 }))
  await owner.charges.createFee(buildFeeRule({ name: 'Linen', per: 'guest', amountCents: 17_77 }))
  await owner.charges.createTax(buildTaxRule({ basisPoints: 667 }))
  const stored = () => ({
    charges: db.select().from(charges).all(),
    instalments: db.select().from(instalments).all(),
    plan: db.select().from(paymentPlans).get(),
    leases: db.select().from(leases).all(),
    settings: db.select().from(propertySettings).all(),
  })
  const version = () => planOf(db, id)?.version ?? 0
  const act = async (step: Step): Promise<unknown> => {
    switch (step.do) {
      case 'set': {
        const { version } = await owner.setup.plan.get()
        const { daysBeforeArrival, kind, percent } = step
        const lateFee = step.isLateFree ? { kind: 'none' as const } : fixedLateFee
        const body = { kind, splitPercent: percent, daysBeforeArrival, lateFee }
        return owner.setup.plan.save({ version, body })
      }
      case 'generate': {
        const terms = { rentalAmount: step.rent / 100, depositAmount: step.deposit }
        return owner.leases.generate({
          applicationId: id,
          leaseStartDate: '2026-06-01',
          leaseEndDate: step.end,
          plan: step.plan,
          ...terms,
        })
      }
      case 'choose':
        return owner.plans.change({
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
        return owner.plans.change({ applicationId: id, version: version(), instalments })
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
        return owner.billing.addCharge({
          applicationId: id,
          kind: 'damage',
          label: 'Lamp',
          amountCents: step.cents,
          taxable: step.taxable,
        })
      case 'void': {
        const { charges } = await owner.billing.charges({ applicationId: id })
        const charge = charges[step.which % Math.max(1, charges.length)]
        return owner.billing.voidCharge({ chargeId: charge?.id ?? 'nothing', reason: 'A mistake' })
      }
      case 'waive': {
        const live = liveInstalments(db, id)
        const row = live[step.which % Math.max(1, live.length)]
        return owner.plans.waive({ id: row?.id ?? 'nothing', reason: 'The pool was closed' })
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
  /** Checks the invariants after each step, from the rows. */
  const check = (before: ReturnType<typeof stored>) => {
    const { lease } = storedLease(app, id)
    const plan = planOf(db, id)
    const live = liveInstalments(db, id)
    if (!plan) return expect(live).toEqual([])
    const active = activeCharges(db, id)
    const isCredit = ({ amountCents, kind, source }: (typeof active)[number]) =>
      amountCents < 0 && source !== 'lease' && !(source === 'plan' && kind === 'adjustment')
    expect(sumOf(live)).toBe(sumOf(active.filter(charge => !isCredit(charge))))
    const others = before.plan && before.leases.find(({ voidedAt }) => voidedAt === null)
    if (others?.signedAt && lease?.signedAt) expect([plan, lease]).toEqual([before.plan, others])
    if (before.plan) expect(plan.version).toBeGreaterThanOrEqual(before.plan.version)
    const isWritten = live.every(row => row.chargeId !== null || row.waivedAt === null)
    if (isWritten) expect(lease?.text).toContain(scheduleText(live, plan.lateFee))
    const payments = live.filter(({ kind }) => kind === 'lease')
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
    const today = dateIn(app.deps.clock.now(), app.deps.config.site.timeZone)
    const open = ({ instalments }: typeof after) =>
      instalments.filter(row => row.supersededAt === null && row.chargeId === null && row.amountCents > 0)
    const dates = (of: typeof after) => [
      ...new Set(open(of).map(({ dueDate }) => (dueDate && dueDate > today ? dueDate : null))),
    ]
    const later = dates(after).filter(date => date !== null)
    return expect(dates(before)).toEqual(expect.arrayContaining(later))
  }
  return { app, stored, act, check, checkKept }
}
