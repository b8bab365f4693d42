import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { events, feeRules, taxRules } from '../../../db/schema.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

test('what the owner saves is listed in the order of making, until it is removed [CHG-16]', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const { fee: cleaning } = await desk.createFee(buildFeeRule({ name: 'Cleaning fee' }))
  const { fee: bed } = await desk.createFee(
    buildFeeRule({ name: 'A bed more', per: 'guest', amountCents: 1 }),
  )
  app.advance(60_000)
  const { fee } = await desk.updateFee({
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
  expect((await desk.listFees()).fees).toEqual([fee, bed])
  expect(await desk.removeFee({ id: cleaning.id })).toEqual({ message: 'Fee removed' })
  expect((await desk.listFees()).fees).toEqual([bed])
  expect(app.deps.db.select().from(feeRules).all()).toHaveLength(2)
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, cleaning.id)).all()
  expect(log.map(({ kind }) => kind)).toEqual(['fee.created', 'fee.updated', 'fee.removed'])
})

test('an update replaces the whole rule: what is left out is set no more', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const { fee } = await desk.createFee(
    buildFeeRule({ minNights: 3, validFrom: '2026-06-01', refundable: true }),
  )
  const { fee: changed } = await desk.updateFee({ id: fee.id, ...buildFeeRule() })
  expect(changed).toMatchObject({ minNights: null, validFrom: null, refundable: false })
})

test('a removed rule is not found any more, as one that never was [CHG-16]', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const { fee } = await desk.createFee(buildFeeRule())
  const { tax } = await desk.createTax(buildTaxRule())
  await desk.removeFee({ id: fee.id })
  expect(await desk.removeTax({ id: tax.id })).toEqual({ message: 'Tax removed' })
  for (const [feeId, taxId] of [
    [fee.id, tax.id],
    ['nobody', 'nobody'],
  ] as const)
    for (const attempt of [
      desk.removeFee({ id: feeId }),
      desk.updateFee({ id: feeId, ...buildFeeRule() }),
      desk.removeTax({ id: taxId }),
      desk.updateTax({ id: taxId, ...buildTaxRule() }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const log = app.deps.db.select().from(events).where(eq(events.subjectId, tax.id)).all()
  expect(log.map(({ kind }) => kind)).toEqual(['tax.created', 'tax.removed'])
  expect(app.deps.db.select().from(taxRules).all()).toMatchObject([{ id: tax.id, name: 'State tax' }])
})

test('a wrong rule is refused at its field over REST [CHG-15]', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const wrongFee = desk.createFee(buildFeeRule({ per: 'rent' }))
  await expect(wrongFee).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  const wrongTax = desk.createTax(buildTaxRule({ onRent: false, onFees: false }))
  await expect(wrongTax).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  expect((await desk.listFees()).fees).toEqual([])
  expect((await desk.listTaxes()).taxes).toEqual([])
})

const overlap = (name: string) => ({
  cause: {
    code: 'bad_request',
    fields: { validFrom: `Another tax of this authority is valid in that time: ${name}.` },
  },
})

test('two taxes of one authority never share a day, whether added or changed [CHG-14]', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const { tax: old } = await desk.createTax(buildTaxRule({ name: 'Old', validTo: '2026-06-30' }))
  const next = buildTaxRule({ name: 'New', authority: ' FLORIDA ', validFrom: '2026-06-30' })
  await expect(desk.createTax(next)).rejects.toMatchObject(overlap('Old'))
  const { tax } = await desk.createTax({ ...next, validFrom: '2026-07-01' })
  await expect(desk.updateTax({ id: tax.id, ...next })).rejects.toMatchObject(overlap('Old'))
  await expect(
    desk.updateTax({ id: old.id, ...buildTaxRule({ name: 'Old', validTo: null }) }),
  ).rejects.toMatchObject(overlap('New'))
  // A refused change leaves the rule as it was, and a rule does not conflict with itself.
  expect((await desk.listTaxes()).taxes).toEqual([old, tax])
  await desk.updateTax({ id: tax.id, ...next, validFrom: '2026-07-01', basisPoints: 700 })
  await desk.createTax(buildTaxRule({ authority: 'Bay County' }))
  await desk.removeTax({ id: old.id })
  await desk.updateTax({ id: tax.id, ...next })
  expect((await desk.listTaxes()).taxes.map(({ validFrom }) => validFrom)).toEqual(['2026-06-30', null])
})

test('of two taxes of one authority that are saved at once, one is [CHG-14]', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin()).charges
  const outcomes = await Promise.allSettled(
    ['One', 'Two', 'Three'].map(name => desk.createTax(buildTaxRule({ name }))),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await desk.listTaxes()).taxes).toHaveLength(1)
})

test('the site gives the public page fees, taxes and fees by guest once there are some', async () => {
  const app = await testApp()
  const desk = app.as(await app.makeAdmin())
  const facts = async () => {
    const { asksGuests, hasBookingRules, hasCharges } = (await app.as(visitor).site.get()).site
    return { asksGuests, hasBookingRules, hasCharges }
  }
  expect(await facts()).toEqual({ asksGuests: false, hasBookingRules: false, hasCharges: false })
  const { tax } = await desk.charges.createTax(buildTaxRule())
  expect(await facts()).toMatchObject({ asksGuests: false, hasCharges: true })
  await desk.charges.removeTax({ id: tax.id })
  expect(await facts()).toMatchObject({ hasCharges: false })
  await desk.charges.createFee(buildFeeRule({ per: 'guest_night' }))
  await desk.setup.bookingRules.save({ version: 0, body: { leadDays: 3 } })
  expect(await facts()).toEqual({ asksGuests: true, hasBookingRules: true, hasCharges: true })
})
