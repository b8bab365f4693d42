import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { outbox } from '../../../db/schema.ts'
import type { ApplicationEditValues } from '../../domain/bookings/application-form.ts'
import { planMessages, planRefusals, scheduleText } from '../../domain/money/payment-plan.ts'
import type { PlanSettingsValues } from '../../domain/money/payment-plan-form.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { buildFeeRule } from '../../testing/build-charge-rule.ts'
import { scanPdf, signLease, storedLease } from '../../testing/build-lease.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { buildLeaseWording } from '../../testing/build-wording.ts'
import { pdfText } from '../../testing/pdf-text.ts'
import { testApp } from '../../testing/test-app.ts'
import { sha256 } from '../lib/sha256.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { leasePdf } from './queries.ts'
import { uploadSignedLease } from './upload.ts'

const lateFee = { kind: 'fixed', cents: 50_00, basisPoints: 0, graceDays: 3 } as const

/** A booking from June 1 to September 13, 2026, at $1,800 a month, with a deposit of $500. */
async function setUpSummerLease(body: PlanSettingsValues = { kind: 'monthly' }) {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const owner = app.as(admin)
  const { id } = await makeBooking(app, tenant, admin, dates('2026-06-01', '2026-09-13'))
  let version = 0
  const setUp = async (changed: PlanSettingsValues) => {
    version = (await owner.settings.plan.save({ version, body: changed })).version
  }
  if (body.kind !== 'off') await setUp(body)
  const plan = () => owner.plans.show({ applicationId: id })
  return {
    app,
    tenant,
    owner,
    id,
    setUp,
    plan,
    rows: async () =>
      (await plan()).instalments.map(({ amountCents, dueDate, label }) => [label, amountCents, dueDate]),
    generate: (terms: Record<string, unknown> = {}) =>
      owner.leases.generate({ applicationId: id, rentalAmount: 1800, depositAmount: 500, ...terms }),
    change: (change: Record<string, unknown>, from?: number) =>
      plan().then(({ plan }) =>
        owner.leases.changePlan({ applicationId: id, version: from ?? plan?.version ?? 0, ...change }),
      ),
    rename: (firstName: string) => owner.applications.adminEdit({ id, firstName }),
    tenantEdit: async (edit: Partial<ApplicationEditValues>) => {
      const { application } = await app.as(tenant).applications.get({ id })
      return app.as(tenant).applications.update({ ...application, ...edit })
    },
    sign: () => signLease(app, tenant, id),
    lease: () => storedLease(app, id).lease,
    text: () => storedLease(app, id).lease?.text ?? '',
    trail: async () =>
      (await owner.leases.trail({ id })).events.flatMap(({ detail, kind }) =>
        kind.startsWith('plan.') ? [[kind, detail.planKind, detail.planVersion]] : [],
      ),
    leaseMails: () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'lease-ready')).all().length,
  }
}
type Summer = Awaited<ReturnType<typeof setUpSummerLease>>

/** Expects a consistent store, a text that matches its hash, and the stored plan in the text. */
async function expectSound(booking: Summer) {
  const { app, lease, plan, text } = booking
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  expect(lease()?.textSha256).toBe(sha256(text()))
  const { instalments, plan: made } = await plan()
  const printed = scheduleText(
    instalments.map(row => ({ ...row, chargeId: null })),
    made?.lateFee ?? null,
  )
  if (made) expect(text()).toContain(`:\n\n${printed}\n\nThe rent is due`)
  else expect(text()).not.toContain('The Landlord agrees that')
}

const monthly = [
  ['Security deposit', 500_00, null],
  ['Payment 1 of 4', 1800_00, '2026-05-02'],
  ['Payment 2 of 4', 1800_00, '2026-07-01'],
  ['Payment 3 of 4', 1800_00, '2026-08-01'],
  ['Payment 4 of 4', 720_00, '2026-09-01'],
]
const halves = [
  { amountCents: 3000_00, dueDate: null },
  { amountCents: 3120_00, dueDate: '2026-06-15' },
]

test('generating creates the plan from the settings and prints it in section 4, with the late fee [PLAN-04, PLAN-13, PLAN-14]', async () => {
  const booking = await setUpSummerLease({ kind: 'monthly', lateFee })
  await booking.generate()
  expect(await booking.rows()).toEqual(monthly)
  expect(await booking.plan()).toMatchObject({
    plan: { kind: 'monthly', version: 1, frozen: false, lateFee },
    totals: { owedCents: 6620_00, dueCents: 0 },
  })
  expect(booking.text().split('\n\n5. SECURITY DEPOSIT')[0]).toMatch(
    /How it adds up: .*\n\nThe Landlord agrees that what is due under this Agreement is paid on these dates:\n\n- Security deposit: \$500.00, due when this Agreement is signed\n- Payment 1 of 4: \$1,800.00, due on May 2, 2026\n- Payment 2 of 4: \$1,800.00, due on July 1, 2026\n- Payment 3 of 4: \$1,800.00, due on August 1, 2026\n- Payment 4 of 4: \$720.00, due on September 1, 2026\n\nA date that has passed when this Agreement is first signed means the day of that signature.\nIf a payment is more than 3 days late, the Landlord may charge a late fee of \$50.00, once for each payment.\n\nThe rent is due before the first day of the term, unless the Landlord has agreed to other dates in writing. [^\n]*$/,
  )
  await expectSound(booking)
})

test('without a plan stores none, and the text is the same as from a wording without the placeholder [PLAN-02]', async () => {
  const booking = await setUpSummerLease({ kind: 'off' })
  const { text } = buildLeaseWording('')
  await booking.generate()
  const before = booking.text()
  expect(before).not.toContain('- Payment')
  expect(await booking.plan()).toMatchObject({ plan: null, instalments: [], pay: null })
  expect(await booking.trail()).toEqual([])
  const placeless = { text: text.replace('{{paymentSchedule}}\n\n', '') }
  const shipped = { text: placeless.text.replace('\n\n\n\n8. NO', '\n\n8. NO') }
  await booking.owner.wordings.save({ kind: 'lease', version: 0, body: shipped })
  await booking.generate()
  expect(booking.lease()?.wordingVersion).toBe(1)
  expect(booking.text()).toBe(before)
  expect(booking.leaseMails()).toBe(1)
})

test('keeps the plan chosen for a lease after rewrites and settings changes, until another is chosen [PLAN-05]', async () => {
  const booking = await setUpSummerLease({ kind: 'off' })
  const { change, generate, owner, id, rename, setUp } = booking
  const kind = async () => (await booking.plan()).plan?.kind
  const known = async () => (await owner.leases.terms({ id })).plan
  await generate({ plan: 'split' })
  expect(await known()).toEqual({ choice: 'split', kind: 'split', setup: 'off' })
  await setUp({ kind: 'monthly' })
  await rename('Zoe')
  await generate()
  expect(await kind()).toBe('split')
  await generate({ plan: 'setup' })
  expect(await known()).toEqual({ choice: 'setup', kind: 'monthly', setup: 'monthly' })
  await change({ kind: 'off' })
  await rename('Ada')
  expect(await known()).toEqual({ choice: 'off', kind: null, setup: 'monthly' })
  await change({ kind: 'setup' })
  expect(await kind()).toBe('monthly')
  await expectSound(booking)
  await expect(generate({ plan: 'weekly' })).rejects.toMatchObject({
    cause: { fields: { plan: expect.any(String) } },
  })
  // A tenant gets the stored lease; the sent plan is ignored.
  const asked = { applicationId: id, plan: 'full' as const }
  expect((await booking.app.as(booking.tenant).leases.generate(asked)).leaseAgreement).toBe(booking.text())
  expect(await kind()).toBe('monthly')
})

test('changed rent, fees and dates create a new plan; an unchanged plan keeps its rows and version [PLAN-04, PLAN-07]', async () => {
  const booking = await setUpSummerLease()
  await booking.generate()
  const ids = async () => (await booking.plan()).instalments.map(({ id }) => id)
  const first = await ids()
  await booking.rename('Zoe')
  expect(await ids()).toEqual(first)
  await booking.owner.chargeRules.createFee(buildFeeRule({ amountCents: 340_00 }))
  await booking.generate({ depositAmount: 0 })
  expect(await booking.rows()).toEqual([
    ['Payment 1 of 4', 1900_00, '2026-05-02'],
    ['Payment 2 of 4', 1900_00, '2026-07-01'],
    ['Payment 3 of 4', 1900_00, '2026-08-01'],
    ['Payment 4 of 4', 760_00, '2026-09-01'],
  ])
  await booking.owner.applications.adminEdit({ id: booking.id, requestedEndDate: '2026-07-01' })
  expect(await booking.rows()).toEqual([['Payment', 2140_00, '2026-05-02']])
  expect(await booking.trail()).toEqual([
    ['plan.made', 'monthly', 1],
    ['plan.changed', 'monthly', 2],
    ['plan.changed', 'monthly', 3],
  ])
  await expectSound(booking)
})

test('keeps custom payments while they add up, moves a past date to signing, else replaces the plan and logs it [PLAN-15, PLAN-18]', async () => {
  const booking = await setUpSummerLease()
  const { app, change, id, owner } = booking
  await booking.generate({ plan: 'full' })
  const changed = await change({ instalments: halves.toReversed() })
  expect(changed).toEqual(await booking.plan())
  const own = [
    ['Security deposit', 500_00, null],
    ['Payment 1 of 2', 3000_00, null],
    ['Payment 2 of 2', 3120_00, '2026-06-15'],
  ]
  expect(await booking.rows()).toEqual(own)
  expect(booking.leaseMails()).toBe(2)
  await booking.tenantEdit({ firstName: 'Zoe' })
  expect(await booking.rows()).toEqual(own)
  await expectSound(booking)
  app.setNow('2026-06-20T17:00:00.000Z')
  await booking.generate({ depositAmount: 700 })
  expect(await booking.rows()).toEqual([
    ['Security deposit', 700_00, null],
    ['Payment', 6120_00, null],
  ])
  expect((await booking.plan()).plan).toMatchObject({ kind: 'custom', version: 3 })
  await booking.generate({ rentalAmount: 2000 })
  expect(await booking.rows()).toContainEqual(['Payment', 6800_00, null])
  expect(await owner.leases.terms({ id })).toMatchObject({ plan: { choice: 'full', kind: 'full' } })
  expect(await booking.trail()).toEqual([
    ['plan.made', 'full', 1],
    ['plan.changed', 'custom', 2],
    ['plan.changed', 'custom', 3],
    ['plan.replaced', 'full', 4],
  ])
  await expectSound(booking)
})

test('replaces a custom plan with a date after the new departure, or removes it if plans are off [PLAN-18]', async () => {
  const booking = await setUpSummerLease({ kind: 'off' })
  await booking.generate()
  await booking.change({ instalments: [{ amountCents: 6120_00, dueDate: '2026-09-10' }] })
  // Three months at $2,040.00 have the same sum.
  await booking.generate({ leaseEndDate: '2026-09-01', rentalAmount: 2040 })
  expect((await booking.plan()).plan).toBeNull()
  expect(await booking.trail()).toEqual([
    ['plan.made', 'custom', 1],
    ['plan.replaced', 'off', 1],
  ])
  await expectSound(booking)
})

test('refuses a wording without {{paymentSchedule}} if a plan is wanted, and accepts it otherwise [PLAN-14]', async () => {
  const booking = await setUpSummerLease({ kind: 'off' })
  const { change, generate, owner, rename, setUp } = booking
  const { text } = buildLeaseWording()
  const placeless = { text: text.replace('{{paymentSchedule}}\n\n', '') }
  await owner.wordings.save({ kind: 'lease', version: 0, body: placeless })
  await generate()
  const before = booking.lease()
  for (const refused of [() => generate({ plan: 'full' }), () => change({ kind: 'monthly' })])
    await expect(refused()).rejects.toMatchObject({ code: 'CONFLICT', message: planMessages.noPlace })
  await setUp({ kind: 'monthly' })
  await expect(generate()).rejects.toMatchObject({ code: 'CONFLICT', message: planMessages.noPlace })
  expect(booking.lease()).toEqual(before)
  // A name change does not create the plan.
  await rename('Zoe')
  expect((await booking.plan()).plan).toBeNull()
  await owner.wordings.save({ kind: 'lease', version: 1, body: { text } })
  await generate()
  expect(await booking.rows()).toEqual(monthly)
  expect((await owner.wordings.preview({ kind: 'lease', body: placeless })).text).not.toContain('- Payment')
  await expectSound(booking)
})

test('a lease without a plan gets one only when it is generated again or its terms change [PLAN-02]', async () => {
  const booking = await setUpSummerLease({ kind: 'off' })
  await booking.generate()
  await booking.setUp({ kind: 'full' })
  expect(await booking.plan()).toMatchObject({ plan: null, pay: null })
  await booking.rename('Zoe')
  await booking.tenantEdit({ firstName: 'Ada' })
  expect(await booking.plan()).toMatchObject({ plan: null, pay: null })
  await booking.owner.applications.adminEdit({ id: booking.id, rentalAmount: 1900 })
  expect((await booking.plan()).plan).toMatchObject({ kind: 'full', version: 1 })
  await expectSound(booking)
})

test.each(['setup', 'full', 'custom'])(
  'a tenant who edits names keeps kind, dates and late fee of a %s plan when the settings have changed [PLAN-05, PLAN-18, FIX-31]',
  async choice => {
    const booking = await setUpSummerLease({ kind: 'full', daysBeforeArrival: 60, lateFee })
    const { app, id, owner } = booking
    await owner.chargeRules.createFee(buildFeeRule({ amountCents: 40_00, per: 'guest' }))
    await booking.generate(choice === 'full' ? { plan: 'full' } : {})
    if (choice === 'custom')
      await booking.change({
        instalments: [
          { amountCents: 6060_00, dueDate: '2026-04-02' },
          { amountCents: 100_00, dueDate: '2026-04-03' },
        ],
      })
    await booking.sign()
    app.setNow('2026-04-20T17:00:00.000Z')
    const before = await booking.plan()
    expect(before.totals).toMatchObject({ overdueCents: 6660_00 })
    await booking.setUp({ kind: 'monthly', daysBeforeArrival: 0, lateFee: { kind: 'none' } })
    await owner.leases.removeSigned({ applicationId: id })
    await booking.tenantEdit({ firstName: 'Zoe' })
    await booking.tenantEdit({ secondApplicantFirstName: 'Lee', secondApplicantLastName: 'Rivers' })
    await expectSound(booking)
    const { plan, instalments } = await booking.plan()
    expect(plan).toMatchObject({ kind: before.plan?.kind, lateFee })
    const amounts = choice === 'custom' ? [500_00, 6099_35, 100_65] : [500_00, 6200_00]
    expect(instalments.map(({ amountCents }) => amountCents)).toEqual(amounts)
    await booking.tenantEdit({ secondApplicantFirstName: '', secondApplicantLastName: '' })
    await booking.sign()
    const { instalments: rows, totals } = await booking.plan()
    const asDue = ({ amountCents, dueDate, state }: (typeof rows)[number]) => [amountCents, dueDate, state]
    expect(rows.map(asDue)).toEqual(before.instalments.map(asDue))
    expect(totals).toEqual(before.totals)
  },
)

test.each(['in the app', 'by scan'])(
  'signing %s freezes plan and late fee and moves past dates to the signing day; removing the signature unfreezes [PLAN-20]',
  async how => {
    const booking = await setUpSummerLease({ kind: 'monthly', lateFee })
    const { app, change, id, owner, setUp, tenant } = booking
    await booking.generate()
    const text = booking.text()
    app.setNow('2026-07-15T17:00:00.000Z')
    if (how === 'in the app') await booking.sign()
    else
      await uploadSignedLease(app.deps, tenant, 'tenant', {
        applicationId: id,
        content: scanPdf(),
        name: 'a.pdf',
      })
    await setUp({ kind: 'full', lateFee: { kind: 'none' } })
    const due = ['2026-07-15', '2026-07-15', '2026-07-15', '2026-08-01', '2026-09-01']
    expect((await booking.rows()).map(([, , date]) => date)).toEqual(due)
    expect((await booking.plan()).plan).toMatchObject({ kind: 'monthly', frozen: true, lateFee })
    for (const wanted of [{ kind: 'full' }, { instalments: halves }])
      await expect(change(wanted)).rejects.toMatchObject({ code: 'CONFLICT', message: planRefusals.signed })
    await expect(booking.generate({ plan: 'full' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(booking.text()).toBe(text)
    await owner.leases.removeSigned({ applicationId: id })
    expect(await booking.rows()).toEqual(monthly)
    await change({ kind: 'full' })
    expect((await booking.plan()).plan).toMatchObject({ kind: 'full', frozen: false, lateFee: null })
    await expectSound(booking)
  },
)

test('deleting the lease removes its plan but no payment; the next plan has a new version [PLAN-20]', async () => {
  const booking = await setUpSummerLease()
  const { app, id, owner } = booking
  await booking.generate({ plan: 'split' })
  await booking.sign()
  await owner.charges.add({ applicationId: id, kind: 'damage', label: 'Lamp', amountCents: 45_00 })
  await owner.payments.addManual(buildManualPayment(id))
  expect(await booking.rows()).toHaveLength(4)
  await owner.leases.adminRemove({ id })
  expect(await booking.plan()).toMatchObject({ plan: null, instalments: [] })
  const { summary } = await owner.charges.list({ applicationId: id })
  expect(summary).toMatchObject({ owedCents: 45_00, paidCents: 1000_00 })
  await booking.generate()
  // The new plan includes the later charge, but ignores the choice made for the deleted lease.
  expect(await booking.rows()).toContainEqual(['Lamp', 45_00, '2026-03-11'])
  expect((await booking.plan()).plan).toMatchObject({ kind: 'monthly', version: 2 })
  await expect(booking.change({ kind: 'full' }, 1)).rejects.toMatchObject({ message: planMessages.stale })
  expect(await booking.trail()).toEqual([
    ['plan.made', 'split', 1],
    ['plan.removed', 'off', 1],
    ['plan.made', 'monthly', 2],
  ])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('keeps waivers when the lease is rewritten, and drops them when the lease is deleted [PLAN-20]', async () => {
  const booking = await setUpSummerLease()
  const { app, id, owner } = booking
  const owed = async () => (await owner.charges.list({ applicationId: id })).summary.balanceCents
  await booking.generate()
  await booking.sign()
  const charge = { applicationId: id, kind: 'damage' as const, label: 'Lamp', amountCents: 45_00 }
  await owner.charges.add(charge)
  const waive = async (label: string) => {
    const row = (await booking.plan()).instalments.find(one => one.label === label)
    await owner.plans.waive({ id: row?.id ?? '', reason: 'The pool was closed' })
  }
  await waive('Payment 4 of 4')
  await waive('Lamp')
  expect(await owed()).toBe(5900_00)
  await owner.leases.removeSigned({ applicationId: id })
  await booking.rename('Zoe')
  expect(await owed()).toBe(5900_00)
  expect((await booking.plan()).totals.openCents).toBe(5900_00)
  expect((await booking.rows()).slice(0, 5)).toEqual([
    monthly[0],
    ['Lamp', 0, '2026-03-11'],
    ...monthly.slice(1, 4),
  ])
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  await booking.change({ kind: 'off' })
  await booking.change({ kind: 'full' })
  expect((await booking.plan()).totals.openCents).toBe(5900_00)
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
  await booking.sign()
  await waive('Payment')
  expect(await owed()).toBe(500_00)
  await owner.leases.adminRemove({ id })
  expect(await owed()).toBeLessThanOrEqual(0)
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('prints the plan in the PDF that the tenant downloads [PLAN-13]', async () => {
  const booking = await setUpSummerLease({ kind: 'split', lateFee })
  await booking.generate()
  const { content } = await leasePdf(booking.app.deps, booking.tenant, booking.id)
  const words = pdfText(content).flat().join(' ')
  expect(words).toContain('Payment 2 of 2: $3,060.00, due on May 2, 2026')
  expect(words).toContain('a late fee of $50.00, once for each payment.')
})
