import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, outbox } from '../../../db/schema.ts'
import type { LaterChargeInput } from '../../domain/money/later-charge.ts'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { makeLease, signLease, storedLease } from '../../testing/build-lease.ts'
import { buildManualPayment } from '../../testing/build-payment.ts'
import { type TestApp, testApp } from '../../testing/test-app.ts'
import { verifyStore } from '../operations/backup/verify.ts'
import { receiptData } from './payments/receipts.ts'

/** A lease for June, with a cleaning fee of $150 and a state tax of 6% if `taxed`. */
async function lease({ sign = true, taxed = true } = {}) {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  if (taxed) {
    await owner.chargeRules.createFee(buildFeeRule())
    await owner.chargeRules.createTax(buildTaxRule())
  }
  const { id, tenant } = await makeLease(app)
  if (sign) await signLease(app, tenant, id)
  return { app, owner, tenant, id, ...tools(app, owner, id) }
}

type Owner = ReturnType<TestApp['as']>

function tools(app: TestApp, owner: Owner, id: string) {
  const list = () => owner.charges.list({ applicationId: id })
  return {
    list,
    add: (charge: Partial<LaterChargeInput> = {}) =>
      owner.charges.add({
        applicationId: id,
        kind: 'damage',
        label: 'Broken lamp',
        amountCents: 100_00,
        ...charge,
      }),
    undo: (chargeId: string, reason = 'A mistake') => owner.charges.void({ chargeId, reason }),
    lines: async () =>
      (await list()).charges
        .filter(charge => !('voidedAt' in charge && charge.voidedAt))
        .map(({ amountCents, label }) => [label, amountCents]),
    mails: () => app.deps.db.select().from(outbox).where(eq(outbox.kind, 'charge-added')).all(),
  }
}

test('a charge of the lease cannot be voided, signed or not [CHG-21]', async () => {
  for (const sign of [true, false]) {
    const { list, undo } = await lease({ sign })
    const before = await list()
    for (const { id } of before.charges)
      await expect(undo(id)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This charge is part of the lease.',
      })
    expect(await list()).toEqual(before)
  }
})

test('the owner adds charges of each kind to a signed lease; a discount is stored as a negative amount [CHG-22]', async () => {
  const { add, id, lines, list, app } = await lease({ taxed: false })
  for (const kind of ['fee', 'discount', 'damage', 'late_fee', 'adjustment', 'deposit'] as const)
    await add({ kind, label: `A ${kind}`, amountCents: 10_00 })
  await add({ kind: 'adjustment', label: 'Rounded down', amountCents: -5_00 })
  expect(await lines()).toEqual([
    ['Rent', 2500_00],
    ['A fee', 10_00],
    ['A discount', -10_00],
    ['A damage', 10_00],
    ['A late_fee', 10_00],
    ['A adjustment', 10_00],
    ['Rounded down', -5_00],
    ['Security deposit', 500_00],
    ['A deposit', 10_00],
  ])
  const { summary } = await list()
  expect(summary).toMatchObject({ owedCents: 3035_00, depositCents: 510_00, depositDueCents: 510_00 })
  expect(storedLease(app, id).row.totalCents).toBe(3035_00)
})

test('an invalid charge is rejected with field errors, and nothing is written [CHG-22]', async () => {
  const { add, list } = await lease()
  const before = await list()
  const wrong: [string, Record<string, unknown>][] = [
    ['kind', { kind: 'rent' }],
    ['kind', { kind: 'tax' }],
    ['label', { label: '' }],
    ['label', { label: 'x'.repeat(121) }],
    ['label', { label: '🏖' }],
    ['amountCents', { amountCents: 0 }],
    ['amountCents', { amountCents: -1 }],
    ['amountCents', { amountCents: 1.5 }],
    ['amountCents', { amountCents: 1_000_000_001 }],
    ['amountCents', { kind: 'adjustment', amountCents: 0 }],
    ['taxable', { kind: 'deposit', taxable: true }],
    ['requestId', { requestId: 'again' }],
  ]
  for (const [field, change] of wrong)
    await expect(add(change as Partial<LaterChargeInput>), JSON.stringify(change)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: expect.arrayContaining([expect.objectContaining({ path: [field] })]) },
    })
  await add({ label: 'x'.repeat(120), amountCents: 1_000_000_000 })
  expect((await list()).charges).toHaveLength(before.charges.length + 1)
})

test('rejects charges for an unsigned lease and for a declined application [CHG-22]', async () => {
  const { add, owner, id } = await lease({ sign: false })
  await expect(add()).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'The lease is not signed yet. Add this to the lease instead.',
  })
  await owner.applications.adminSetStatus({ id, status: 'rejected' })
  await expect(add()).rejects.toMatchObject({ code: 'CONFLICT', message: /declined/ })
  const other = await lease()
  const bare = await makeBooking(
    other.app,
    other.tenant,
    await other.app.makeAdmin(),
    dates('2026-08-01', '2026-09-01'),
  )
  await expect(other.owner.charges.add(charge(bare.id))).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(other.owner.charges.add(charge('nobody'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

const charge = (applicationId: string) => ({
  applicationId,
  kind: 'fee' as const,
  label: 'Beach chairs',
  amountCents: 60_00,
})

test('ten simultaneous repeats of a request add one charge, and all return it; a changed one is refused [CHG-22]', async () => {
  const { add, lines, mails, undo } = await lease()
  const requestId = randomUUID()
  const answers = await Promise.all(Array.from({ length: 10 }, () => add({ requestId })))
  expect(new Set(answers.map(({ charge }) => charge.id)).size).toBe(1)
  expect((await lines()).filter(([label]) => label === 'Broken lamp')).toHaveLength(1)
  expect(mails()).toHaveLength(1)
  const changes = [
    { amountCents: 151_00 },
    { kind: 'fee' as const },
    { label: 'Another lamp' },
    { taxable: true },
  ]
  for (const change of changes) await expect(add({ requestId, ...change })).rejects.toThrow(openAgain)
  await undo(answers[0]?.charge.id ?? '')
  await expect(add({ requestId })).rejects.toThrow(openAgain)
})

const openAgain = 'This was recorded already'

test('taxable later charges add one tax charge for each tax of the lease, recomputed on every change [CHG-23]', async () => {
  const { app, owner, tenant } = await lease({ sign: false })
  await owner.chargeRules.createTax(
    buildTaxRule({ name: 'County tax', authority: 'Bay County', basisPoints: 333, onFees: false }),
  )
  await owner.chargeRules.createTax(
    buildTaxRule({ name: 'Bed tax', authority: 'The town', basisPoints: 125, onRent: false }),
  )
  const { id } = await makeBooking(app, tenant, await app.makeAdmin(), dates('2026-08-01', '2026-09-01'))
  await owner.leases.generate({ applicationId: id, rentalAmount: 1000.01, depositAmount: 500 })
  await signLease(app, tenant, id)
  const { add, lines, list, undo } = tools(app, owner, id)
  const later = async () => (await lines()).filter(([label]) => /added later/.test(String(label)))

  const lamp = await add({ amountCents: 33_33, taxable: true })
  // The state tax on 1150.01 is 69.0006, with the lamp 71.0004. The bed tax applies only to fees.
  expect(await later()).toEqual([
    ['State tax (6% of $33.33, added later)', 2_00],
    ['Bed tax (1.25% of $33.33, added later)', 41],
  ])
  await add({ kind: 'damage', label: 'No tax on this', amountCents: 10_00 })
  await add({ kind: 'discount', label: 'Early', amountCents: 100_00, taxable: true })
  // A discount counts as rent, to which the county tax also applies.
  expect(await later()).toEqual([
    ['Bed tax (1.25% of $33.33, added later)', 41],
    ['State tax (6% of −$66.67, added later)', -4_00],
    ['County tax (3.33% of −$100.00, added later)', -3_33],
  ])
  await undo(lamp.charge.id)
  expect(await later()).toEqual([
    ['County tax (3.33% of −$100.00, added later)', -3_33],
    ['State tax (6% of −$100.00, added later)', -6_00],
  ])
  const { charges, summary } = await list()
  expect(summary.owedCents).toBe(storedLease(app, id).row.totalCents)
  const [tax] = charges.filter(({ label }) => label.startsWith('County tax (3.33% of −'))
  await expect(undo(tax?.id ?? '')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await verifyStore(app.deps.config, () => {})).faults).toEqual([])
})

test('voiding requires a reason, records who, when and why, and is idempotent [CHG-24]', async () => {
  const { add, app, id, list, undo } = await lease({ taxed: false })
  const { charge } = await add()
  for (const reason of ['', '  ', 'x'.repeat(501)])
    await expect(undo(charge.id, reason)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const first = await undo(charge.id, 'It was broken before')
  expect(first.charge).toMatchObject({
    voidedAt: expect.any(String),
    voidedBy: expect.any(String),
    voidReason: 'It was broken before',
  })
  expect(first.summary.owedCents).toBe(3000_00)
  app.advance(60_000)
  expect(await undo(charge.id, 'Another reason')).toEqual(first)
  const trail = app.deps.db.select().from(events).where(eq(events.subjectId, id)).all()
  expect(trail.filter(({ kind }) => kind === 'charge.voided')).toEqual([
    expect.objectContaining({
      actorId: first.charge.voidedBy,
      at: first.charge.voidedAt,
      detail: {
        chargeId: charge.id,
        label: 'Broken lamp',
        amountCents: 100_00,
        reason: 'It was broken before',
      },
    }),
  ])
  await expect(undo('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await list()).charges).toHaveLength(3)
})

test('the sum of charges without the deposit cannot fall below zero, by adding or by voiding [CHG-25]', async () => {
  const { add, list, undo } = await lease({ taxed: false })
  const below = { code: 'CONFLICT', message: 'That would make the total less than nothing.' }
  await expect(add({ kind: 'discount', amountCents: 2500_01 })).rejects.toMatchObject(below)
  const { charge } = await add({ amountCents: 100_00 })
  await add({ kind: 'adjustment', label: 'All of it', amountCents: -2600_00 })
  expect((await list()).summary).toMatchObject({ owedCents: 500_00 })
  const before = await list()
  await expect(undo(charge.id)).rejects.toMatchObject(below)
  await expect(add({ kind: 'adjustment', amountCents: -1 })).rejects.toMatchObject(below)
  expect(await list()).toEqual(before)
})

test('a later charge sends one mail with label, amount and balance, which is withdrawn if the charge is voided first [CHG-26]', async () => {
  const { add, id, mails, owner, undo } = await lease({ taxed: false })
  const { charge } = await add()
  const [mail] = mails()
  expect(mail).toMatchObject({
    status: 'queued',
    props: {
      applicationId: id,
      label: 'Broken lamp',
      amountCents: 100_00,
      balanceCents: 3100_00,
    },
  })
  await undo(charge.id)
  expect(mails()).toEqual([])
  await add()
  expect(mails()).toHaveLength(1)
  await owner.applications.adminDelete({ id })
  expect(mails()).toEqual([])
})

test('the tenant sees the charges in force, the owner also voided ones, and both see the same summary [CHG-27]', async () => {
  const { add, app, id, list, owner, tenant, undo } = await lease()
  await owner.payments.addManual({ ...buildManualPayment(id, { amount: 500_00 }), paymentType: 'deposit' })
  await owner.payments.addManual({ ...buildManualPayment(id, { amount: 700_00 }), paymentType: 'rent' })
  const { charge } = await add()
  await undo(charge.id)
  const [mine, owners] = [await app.as(tenant).charges.list({ applicationId: id }), await list()]
  expect(mine.charges.map(({ kind, label }) => [kind, label])).toEqual([
    ['rent', 'Rent'],
    ['fee', 'Cleaning fee'],
    ['tax', 'State tax (6% of $2,650.00)'],
    ['deposit', 'Security deposit'],
  ])
  expect(mine.charges[0]).not.toHaveProperty('voidedAt')
  expect(owners.charges).toHaveLength(5)
  expect(owners.charges).toContainEqual(expect.objectContaining({ voidReason: 'A mistake' }))
  expect(mine.summary).toEqual(owners.summary)
  expect(mine.summary).toEqual({
    owedCents: 3309_00,
    paidCents: 1200_00,
    balanceCents: 2109_00,
    label: 'Amount owed',
    depositCents: 500_00,
    depositCreditedCents: 500_00,
    depositReturnedCents: 0,
    depositDueCents: 0,
  })
})

test('without a lease there are no charges, nothing is owed, and the default deposit is due [CHG-27, CHG-30]', async () => {
  const app = await testApp()
  const tenant = await app.makeTenant()
  const { id } = await makeBooking(app, tenant, await app.makeAdmin())
  expect(await app.as(tenant).charges.list({ applicationId: id })).toEqual({
    charges: [],
    summary: {
      owedCents: 0,
      paidCents: 0,
      balanceCents: 0,
      label: 'Nothing owed yet',
      depositCents: 500_00,
      depositCreditedCents: 0,
      depositReturnedCents: 0,
      depositDueCents: 500_00,
    },
  })
})

test('receipts list all charges if there are more than rent and deposit, else none [CHG-03, CHG-28]', async () => {
  const { add, app, id, owner } = await lease({ taxed: false })
  const { payment } = await owner.payments.addManual(buildManualPayment(id))
  const before = await receiptData(app.deps, payment.id)
  expect(before.facts).not.toHaveProperty('charges')
  await add()
  const { facts } = await receiptData(app.deps, payment.id)
  expect(facts.charges).toEqual([
    { label: 'Rent', amountCents: 2500_00 },
    { label: 'Broken lamp', amountCents: 100_00 },
    { label: 'Security deposit', amountCents: 500_00 },
  ])
})
