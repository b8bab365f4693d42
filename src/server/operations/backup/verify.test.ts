import { appendFileSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { charges as chargeRows, installments } from '../../../../db/schema.ts'
import { makePending } from '../../../testing/build-application.ts'
import { buildFeeRule, buildTaxRule } from '../../../testing/build-charge-rule.ts'
import { leaseTerms, makeLease, scanPdf, signLease } from '../../../testing/build-lease.ts'
import { buildManualPayment } from '../../../testing/build-payment.ts'
import { makePlan, setSigned } from '../../../testing/build-plan.ts'
import { preparedSite, testApp } from '../../../testing/test-app.ts'
import { uploadSignedAddendum } from '../../leases/addenda/upload.ts'
import { allCharges } from '../../money/records.ts'
import { verifyStore } from './verify.ts'

/**
 * A site with a signed lease that has a fee, a tax and a payment plan, a later charge, a payment and a transfer.
 */
const prepared = preparedSite(async app => {
  const { chargeRules: rules, settings: setup } = app.as(await app.makeAdmin())
  await rules.createFee(buildFeeRule())
  await rules.createTax(buildTaxRule())
  await setup.plan.save({ version: 0, body: { kind: 'split' } })
  const { id, tenant, admin } = await makeLease(app)
  await signLease(app, tenant, id)
  const later = { kind: 'damage' as const, label: 'Broken lamp', amountCents: 10_000, taxable: true }
  await app.as(admin).charges.add({ applicationId: id, ...later })
  await app.as(admin).payments.addManual(buildManualPayment(id))
  const other = await makePending(app, tenant, {
    requestedStartDate: '2026-09-01',
    requestedEndDate: '2026-10-01',
  })
  await app.as(admin).payments.transfer({
    depositAmount: 200_00,
    fromApplicationId: id,
    toApplicationId: other.id,
    transferNotes: '',
  })
  return {}
})

/** A copy of the site, and a function that corrupts its data with SQL. */
async function site() {
  const { app } = await prepared()
  const { config } = app.deps
  const [file] = app.deps.db.query.files.findMany().sync()
  if (!file) throw new Error('no file')
  return {
    file,
    stored: join(config.uploadsDir, file.storageName),
    uploadsDir: config.uploadsDir,
    databaseFile: config.databaseFile,
    verify: () => verifyStore(config, () => {}),
    tamper: (sql: string) => {
      const sqlite = new SqliteDatabase(config.databaseFile)
      sqlite.pragma('foreign_keys = OFF')
      sqlite.exec(sql)
      sqlite.close()
    },
  }
}

test('finds no faults in a healthy store while the site runs, and counts orphaned files separately [CHG-35]', async () => {
  const { verify, uploadsDir } = await site()
  expect(await verify()).toEqual({ faults: [], byProvider: [], files: 1, orphanedFiles: 0 })
  writeFileSync(join(uploadsDir, 'half-an-upload'), 'x')
  expect(await verify()).toEqual({ faults: [], byProvider: [], files: 1, orphanedFiles: 1 })
})

test('finds a damaged and a missing file', async () => {
  const { verify, stored, file } = await site()
  appendFileSync(stored, ' ')
  expect((await verify()).faults).toEqual([
    `The stored file "${file.originalName}" (${file.storageName}) is damaged.`,
  ])
  rmSync(stored)
  expect((await verify()).faults).toEqual([
    `The stored file "${file.originalName}" (${file.storageName}) is missing.`,
  ])
})

test.each([
  [
    'update payments set amount_cents = amount_cents + 1 where transfer_id is not null and amount_cents > 0',
    'do not sum to zero',
  ],
  ['delete from payments where transfer_id is not null and amount_cents > 0', 'do not sum to zero'],
  [
    "update payments set voided_at = '2026-03-05' where transfer_id is not null and amount_cents > 0",
    'do not sum to zero',
  ],
  ['update payments set transfer_id = null', 'is missing its other side'],
  [
    "update payments set refunded_amount_cents = 999999 where method = 'manual'",
    'been refunded more than was paid',
  ],
  [
    "update payments set voided_at = '2026-03-05' where method = 'manual'",
    'More money went back than came in on APP-2026-0001: −$200.00 is paid.',
  ],
  [
    "update payments set type = 'deduction', method = 'manual' where transfer_id is not null and amount_cents < 0",
    'More of the deposit of APP-2026-0001 is gone than was held: −$200.00 is held of the deposit.',
  ],
  ["update payments set paid_at = null where method = 'manual'", 'without a date of payment'],
  ["update payments set user_id = 'nobody'", 'references a missing row of users'],
  ["update payments set user_id = (select id from users where role = 'admin')", 'whose tenant differs from'],
  [
    'update applications set total_cents = total_cents + 1 where total_cents > 0',
    'whose total is not the sum of',
  ],
  ["delete from charges where kind = 'fee'", 'whose total is not the sum of their charges'],
  [
    "update charges set voided_at = '2026-03-05' where kind = 'rent'",
    'whose total is not the sum of their charges',
  ],
  [
    "delete from charges where kind = 'deposit'; update applications set total_cents = total_cents - 50000 where total_cents > 0",
    'without their rent and deposit among the charges',
  ],
  [
    "update charges set base_cents = base_cents + 1000 where kind = 'tax' and source = 'lease'",
    'taxes whose amount does not match',
  ],
  [
    "update charges set rate_basis_points = 700 where kind = 'tax' and source = 'owner'",
    'taxes whose amount does not match',
  ],
  [
    "update charges set tax_rule_id = null where kind = 'tax'",
    'charges without the id of their fee or tax rule',
  ],
  [
    "update charges set fee_rule_id = null where kind = 'fee'",
    'charges without the id of their fee or tax rule',
  ],
  ["update charges set tax_rule_id = 'nobody'", 'references a missing row of tax_rules'],
  [
    "update instalments set amount_cents = amount_cents + 1 where kind = 'lease' and position = 1",
    '1 payment plans that do not add up to the charges and credits: APP-2026-0001',
  ],
  [
    "update instalments set superseded_at = '2026-03-05' where kind = 'charge'",
    '1 payment plans that do not add up',
  ],
  ['delete from payment_plans', 'installments without a payment plan'],
  ["update leases set voided_at = '2026-03-05'", 'payment plans without a lease: APP-2026-0001'],
  ["update leases set text = text || '.'", 'lease texts that were changed'],
  ['update leases set file_id = null', 'signed leases without their file'],
  [
    "update applications set status = 'approved', stay_start_date = '2026-06-30', stay_end_date = '2026-07-02'",
    'share a night',
  ],
  [
    "update applications set deleted_at = '2026-03-01'; update payments set method = 'card' where method = 'manual'",
    'for applications that were already declined or deleted',
  ],
  [
    `update applications set status = 'rejected'; update payments set method = 'card' where method = 'manual';
     insert into events (at, kind, subject_id, actor_role, detail)
     select '2026-03-01', 'application.rejected', id, 'admin', '{}' from applications`,
    'for applications that were already declined or deleted',
  ],
  [
    "update applications set status = 'cancelled'; update payments set method = 'card', status = 'pending' where method = 'manual'",
    'cancelled stays with an open checkout: APP-2026-0001',
  ],
  ["update applications set status = 'cancelled'", 'cancelled stays that owe more than what was kept'],
])('reports the inconsistency caused by: %s [FIX-10, CHG-35]', async (sql, fault) => {
  const { verify, tamper } = await site()
  tamper(sql)
  expect((await verify()).faults.join('\n')).toContain(fault)
})

test('finds no faults in voided revenue', async () => {
  const { verify, tamper } = await site()
  tamper("update payments set voided_at = '2026-03-05'")
  expect((await verify()).faults).toEqual([])
})

test('does not report stays that begin on the day another ends', async () => {
  const { verify, tamper } = await site()
  tamper(
    "update applications set status = 'approved', requested_start_date = '2026-07-01', requested_end_date = '2026-07-02'",
  )
  expect((await verify()).faults).toEqual([])
})

test('finds a damaged database', async () => {
  const { verify, tamper, databaseFile } = await site()
  tamper('pragma wal_checkpoint(truncate)')
  const file = openSync(databaseFile, 'r+')
  writeSync(file, Buffer.alloc(4096 * 20, 0xff), 0, 4096 * 20, 4096 * 4)
  closeSync(file)
  const verdict = verify().then(({ faults }) => faults.join(), String)
  expect(await verdict).toMatch(/damaged|malformed|not a database/i)
})

test('finds no fault in a cancelled or reinstated stay with a payment plan, but finds a changed payment of it [CHANGE-11, FIX-10, INST-33]', async () => {
  const app = await testApp()
  const { admin, id } = await makePlan(app)
  const { applications, cancellations, charges, payments, plans } = app.as(admin)
  await payments.addManual({ ...buildManualPayment(id, { amount: 500_00 }), paymentType: 'rent' })
  const { instalments } = await plans.show({ applicationId: id })
  await plans.waive({ id: instalments.at(-1)?.id ?? '', reason: 'The pool was closed.' })
  await charges.add({ applicationId: id, kind: 'fee', label: 'Cleaning', amountCents: 50_00, taxable: false })
  await setSigned(app, id, null)
  const faults = async () => (await verifyStore(app.deps.config, () => {})).faults
  for (const refundCents of [undefined, 0]) {
    await cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.', refundCents })
    expect(await faults()).toEqual([])
    await applications.adminSetStatus({ id, status: 'approved' })
    expect(await faults()).toEqual([])
  }
  await cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.' })
  await app.deps.write(tx =>
    tx.update(installments).set({ amountCents: 1 }).where(eq(installments.position, 1)).run(),
  )
  expect(await faults()).toEqual([expect.stringContaining('1 payment plans that do not add up')])
})

test('finds no fault in taxes after addenda that raise and lower the rent, but finds a changed one [CHANGE-20, CHANGE-38, CHG-35, INST-33]', async () => {
  const app = await testApp()
  const { admin, id, tenant } = await makeLease(app)
  const { addenda, cancellations, chargeRules, charges, leases, applications } = app.as(admin)
  await chargeRules.createTax(buildTaxRule({ basisPoints: 625 }))
  await leases.generate({ applicationId: id, ...leaseTerms, rentalAmount: 2333 })
  await signLease(app, tenant, id)
  const faults = async () => (await verifyStore(app.deps.config, () => {})).faults
  const change = async (rentalAmount: number) => {
    const { addendum } = await addenda.make({ applicationId: id, rentalAmount })
    await uploadSignedAddendum(app.deps, tenant, { id: addendum.id, content: scanPdf(), name: 'a.pdf' })
    expect(await faults()).toEqual([])
  }
  // Of $67.08 alone the tax is $4.19; the lease's rises by $4.20, from $145.81 to $150.01.
  await change(2400.08)
  await change(2222.05)
  const add = (kind: 'fee' | 'discount', amountCents: number) =>
    charges.add({ applicationId: id, kind, label: 'Later', amountCents, taxable: true })
  const { charge } = await add('fee', 1_05)
  await add('discount', 2222_05)
  expect(await faults()).toEqual([])
  await change(2277.77)
  await charges.void({ chargeId: charge.id, reason: 'A mistake.' })
  expect(await faults()).toEqual([])
  await cancellations.cancel({ applicationId: id, side: 'owner', reason: 'A pipe burst.', refundCents: 0 })
  expect(await faults()).toEqual([])
  await applications.adminSetStatus({ id, status: 'approved' })
  expect(await faults()).toEqual([])

  const taxes = allCharges(app.deps.db, id).filter(
    ({ kind, voidedAt }) => kind === 'tax' && voidedAt === null,
  )
  expect(taxes.map(({ source }) => source)).toEqual(['lease', 'addendum', 'addendum', 'addendum', 'owner'])
  for (const tax of taxes)
    for (const damage of [
      { amountCents: tax.amountCents + 1 },
      { baseCents: (tax.baseCents ?? 0) - 10_00 },
      { rateBasisPoints: 700 },
    ]) {
      const set = (values: Partial<typeof tax>) =>
        app.deps.write(tx => tx.update(chargeRows).set(values).where(eq(chargeRows.id, tax.id)).run())
      await set(damage)
      expect((await faults()).join(), JSON.stringify(damage)).toContain('taxes whose amount does not match')
      await set(tax)
    }
  expect(await faults()).toEqual([])
})

test('money that went back by hand and was then disputed is a fault of the provider’s [FIX-10, INST-33]', async () => {
  const { verify, tamper } = await site()
  tamper(`update payments set method = 'card', status = 'disputed', lost_amount_cents = amount_cents,
    refunded_amount_cents = amount_cents where method = 'manual';
    update payments set type = 'refund', method = 'manual', transfer_id = null where amount_cents < 0;
    delete from payments where method = 'transfer'`)
  const { byProvider, faults } = await verify()
  expect(byProvider).toEqual([expect.stringContaining('More money went back than came in')])
  expect(faults).toEqual(byProvider)
})
