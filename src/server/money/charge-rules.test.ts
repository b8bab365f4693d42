import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, feeRules, taxRules } from '../../../db/schema.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

test('lists rules in order of creation until they are removed [CHG-16]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const { fee: cleaning } = await asOwner.createFee(buildFeeRule({ name: 'Cleaning fee' }))
  const { fee: bed } = await asOwner.createFee(
    buildFeeRule({ name: 'A bed more', per: 'guest', amountCents: 1 }),
  )
  app.advance(60_000)
  const { fee } = await asOwner.updateFee({
    id: cleaning.id,
    ...buildFeeRule({ name: 'Cleaning', amountCents: 175_00 }),
  })
  expect(fee).toMatchObject({
    id: cleaning.id,
    _id: cleaning.id,
    name: 'Cleaning',
    amountCents: 175_00,
    validTo: null,
  })
  expect((await asOwner.listFees()).fees).toEqual([fee, bed])
  expect(await asOwner.removeFee({ id: cleaning.id })).toEqual({ message: 'Fee removed' })
  expect((await asOwner.listFees()).fees).toEqual([bed])
  expect(app.deps.db.select().from(feeRules).all()).toHaveLength(2)
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, cleaning.id)).all()
  expect(log.map(({ kind }) => kind)).toEqual(['fee.created', 'fee.updated', 'fee.removed'])
})

test('an update replaces the whole rule and clears omitted fields', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const { fee } = await asOwner.createFee(
    buildFeeRule({ minNights: 3, validFrom: '2026-06-01', refundable: true }),
  )
  const { fee: changed } = await asOwner.updateFee({ id: fee.id, ...buildFeeRule() })
  expect(changed).toMatchObject({ minNights: null, validFrom: null, refundable: false })
})

test('saving a fee or a tax from a form that is out of date is refused [SITE-17]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const { fee } = await asOwner.createFee(buildFeeRule({ amountCents: 150_00 }))
  const { tax } = await asOwner.createTax(buildTaxRule())
  app.advance(1000)
  const saves = () => [
    asOwner.updateFee({ ...buildFeeRule({ amountCents: 250_00 }), id: fee.id, updatedAt: fee.updatedAt }),
    asOwner.updateTax({ ...buildTaxRule(), id: tax.id, updatedAt: tax.updatedAt }),
  ]
  await Promise.all(saves())
  const changed = { code: 'CONFLICT', message: 'This part was changed by somebody else meanwhile.' }
  for (const save of saves()) await expect(save).rejects.toMatchObject(changed)
})

test('a removed rule returns 404 like an unknown one [CHG-16]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const { fee } = await asOwner.createFee(buildFeeRule())
  const { tax } = await asOwner.createTax(buildTaxRule())
  await asOwner.removeFee({ id: fee.id })
  expect(await asOwner.removeTax({ id: tax.id })).toEqual({ message: 'Tax removed' })
  for (const [feeId, taxId] of [
    [fee.id, tax.id],
    ['nobody', 'nobody'],
  ] as const)
    for (const attempt of [
      asOwner.removeFee({ id: feeId }),
      asOwner.updateFee({ id: feeId, ...buildFeeRule() }),
      asOwner.removeTax({ id: taxId }),
      asOwner.updateTax({ id: taxId, ...buildTaxRule() }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, tax.id)).all()
  expect(log.map(({ kind }) => kind)).toEqual(['tax.created', 'tax.removed'])
  expect(app.deps.db.select().from(taxRules).all()).toMatchObject([{ id: tax.id, name: 'State tax' }])
})

const overlap = (name: string) => ({
  cause: {
    code: 'bad_request',
    fields: { validFrom: `Another tax of this authority is valid in that time: ${name}.` },
  },
})

test('two taxes of one authority never share a day, by adding or by changing [CHG-14]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const { tax: old } = await asOwner.createTax(buildTaxRule({ name: 'Old', validTo: '2026-06-30' }))
  const next = buildTaxRule({ name: 'New', authority: ' FLORIDA ', validFrom: '2026-06-30' })
  await expect(asOwner.createTax(next)).rejects.toMatchObject(overlap('Old'))
  const { tax } = await asOwner.createTax({ ...next, validFrom: '2026-07-01' })
  await expect(asOwner.updateTax({ id: tax.id, ...next })).rejects.toMatchObject(overlap('Old'))
  await expect(
    asOwner.updateTax({ id: old.id, ...buildTaxRule({ name: 'Old', validTo: null }) }),
  ).rejects.toMatchObject(overlap('New'))
  // A rejected change leaves the rule unchanged, and a rule does not conflict with itself.
  expect((await asOwner.listTaxes()).taxes).toEqual([old, tax])
  await asOwner.updateTax({ id: tax.id, ...next, validFrom: '2026-07-01', basisPoints: 700 })
  await asOwner.createTax(buildTaxRule({ authority: 'Bay County' }))
  await asOwner.removeTax({ id: old.id })
  await asOwner.updateTax({ id: tax.id, ...next })
  expect((await asOwner.listTaxes()).taxes.map(({ validFrom }) => validFrom)).toEqual(['2026-06-30', null])
})

test('of several taxes of one authority that are saved simultaneously, exactly one is stored [CHG-14]', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin()).chargeRules
  const outcomes = await Promise.allSettled(
    ['One', 'Two', 'Three'].map(name => asOwner.createTax(buildTaxRule({ name }))),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await asOwner.listTaxes()).taxes).toHaveLength(1)
})

test('the site reports charges, fees by guest and booking rules only if there are any', async () => {
  const app = await testApp()
  const asOwner = app.as(await app.makeAdmin())
  const facts = async () => {
    const { asksGuests, hasBookingRules, hasCharges } = (await app.as(visitor).site.get()).site
    return { asksGuests, hasBookingRules, hasCharges }
  }
  expect(await facts()).toEqual({ asksGuests: false, hasBookingRules: false, hasCharges: false })
  const { tax } = await asOwner.chargeRules.createTax(buildTaxRule())
  expect(await facts()).toMatchObject({ asksGuests: false, hasCharges: true })
  await asOwner.chargeRules.removeTax({ id: tax.id })
  expect(await facts()).toMatchObject({ hasCharges: false })
  await asOwner.chargeRules.createFee(buildFeeRule({ per: 'guest_night' }))
  await asOwner.settings.bookingRules.save({ version: 0, body: { leadDays: 3 } })
  expect(await facts()).toEqual({ asksGuests: true, hasBookingRules: true, hasCharges: true })
})
