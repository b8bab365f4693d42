import { expect, test } from 'vitest'
import type { Admin } from '../../domain/accounts/access.ts'
import { sumOf } from '../../domain/money/charge.ts'
import { buildApplication, dates, makeBooking } from '../../testing/build-application.ts'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { storedLease, typedSignature } from '../../testing/build-lease.ts'
import { testApp } from '../../testing/test-app.ts'
import { activeCharges } from '../money/records.ts'
import { verifyStore } from '../operations/backup/verify.ts'

/** A booking for June, its tenant and owner, and functions that read its stored charges. */
async function setUpJuneLease() {
  const site = await testApp()
  const tenant = await site.makeTenant()
  const admin = (await site.makeAdmin()) as Admin
  const owner = site.as(admin)
  const { id } = await makeBooking(site, tenant, admin, {
    ...dates('2026-06-01', '2026-07-01'),
    secondApplicantFirstName: 'Ben',
    secondApplicantLastName: 'Jones',
  })
  const stored = () => activeCharges(site.deps.db, id)
  return {
    app: site,
    tenant,
    admin,
    owner,
    id,
    stored,
    lines: () => stored().map(({ amountCents, label }) => [label, amountCents]),
    total: () => storedLease(site, id).row.totalCents,
    text: () => storedLease(site, id).lease?.text ?? '',
    generate: (input: Record<string, unknown> = {}) =>
      owner.leases.generate({ applicationId: id, rentalAmount: 1800, depositAmount: 500, ...input }),
  }
}

type June = Awaited<ReturnType<typeof setUpJuneLease>>

/** A Florida owner's rules: cleaning, linen per guest, optional pet fee, early discount, state and county tax. */
async function addFloridaTaxes({ owner }: Pick<June, 'owner'>) {
  const fee = async (overrides: Parameters<typeof buildFeeRule>[0]) =>
    (await owner.chargeRules.createFee(buildFeeRule(overrides))).fee
  return {
    cleaning: await fee({ name: 'Cleaning fee', amountCents: 175_00 }),
    linen: await fee({ name: 'Linen', per: 'guest', amountCents: 12_50, taxable: false }),
    early: await fee({
      kind: 'discount',
      name: 'Early booking',
      per: 'rent',
      amountCents: null,
      basisPoints: 500,
      required: false,
    }),
    pet: await fee({ name: 'Pet fee', amountCents: 200_00, required: false }),
    state: (await owner.chargeRules.createTax(buildTaxRule())).tax,
    county: (
      await owner.chargeRules.createTax(
        buildTaxRule({ name: 'County tax', authority: 'Bay County', basisPoints: 500, onFees: false }),
      )
    ).tax,
  }
}

test('generating stores rent, fees, discounts, taxes and deposit in this order, with the sum as total owed [CHG-01, CHG-02, CHG-10]', async () => {
  const booking = await setUpJuneLease()
  const { early, cleaning, linen } = await addFloridaTaxes(booking)
  await booking.generate({ feeIds: [early.id, linen.id, cleaning.id] })
  expect(booking.lines()).toEqual([
    ['Rent', 1800_00],
    ['Cleaning fee', 175_00],
    ['Linen (2 guests × $12.50)', 25_00],
    ['Early booking (5% of $1,800.00)', -90_00],
    ['State tax (6% of $1,885.00)', 113_10],
    ['County tax (5% of $1,710.00)', 85_50],
    ['Security deposit', 500_00],
  ])
  expect(booking.total()).toBe(sumOf(booking.stored()))
  expect(booking.total()).toBe(2608_60)
  const { application } = await booking.owner.applications.adminGet({ id: booking.id })
  expect(application.totalAmount).toBe(2608.6)
  expect((await verifyStore(booking.app.deps.config, () => {})).faults).toEqual([])
})

test('stores lines of $0.00, but neither prints nor lists them [CHG-02]', async () => {
  const booking = await setUpJuneLease()
  await booking.owner.chargeRules.createTax(buildTaxRule({ onRent: false }))
  await booking.generate({ depositAmount: 0 })
  expect(booking.lines()).toContainEqual(['State tax (6% of $0.00)', 0])
  expect(booking.text()).not.toContain('State tax')
  const { charges, summary } = await booking.owner.charges.list({ applicationId: booking.id })
  expect(charges.map(({ label }) => label)).toEqual(['Rent'])
  expect(summary.depositCents).toBe(0)
})

test('charges exactly the fees in feeIds; without feeIds, the required fees and those already on the lease [CHG-08]', async () => {
  const booking = await setUpJuneLease()
  const { pet, cleaning } = await addFloridaTaxes(booking)
  const names = () => booking.stored().flatMap(({ kind, name }) => (kind === 'fee' ? [name] : []))
  await booking.generate()
  expect(names()).toEqual(['Cleaning fee', 'Linen'])
  await booking.generate({ feeIds: [pet.id] })
  expect(names()).toEqual(['Pet fee'])
  await booking.generate()
  expect(names()).toEqual(['Cleaning fee', 'Linen', 'Pet fee'])
  await booking.generate({ feeIds: [] })
  expect(names()).toEqual([])
  const before = booking.stored()
  await booking.owner.chargeRules.removeFee({ id: cleaning.id })
  const { fee: long } = await booking.owner.chargeRules.createFee(
    buildFeeRule({ name: 'Long', minNights: 60 }),
  )
  for (const feeIds of [['nobody'], [cleaning.id], [pet.id, long.id]])
    await expect(booking.generate({ feeIds })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { fields: { feeIds: expect.any(String) } },
    })
  expect(booking.stored()).toEqual(before)
})

test('keeps extra lines on this lease only, at most ten, until others are given [CHG-09]', async () => {
  const booking = await setUpJuneLease()
  const extraLines = [
    { kind: 'fee' as const, label: 'Crib', amountCents: 40_00, taxable: true },
    { kind: 'discount' as const, label: 'Friends of the house', amountCents: 100_00 },
  ]
  await booking.owner.chargeRules.createTax(buildTaxRule())
  await booking.generate({ extraLines })
  const own = [
    ['Crib', 40_00],
    ['Friends of the house', -100_00],
    ['State tax (6% of $1,740.00)', 104_40],
  ]
  expect(booking.lines().slice(1, -1)).toEqual(own)
  await booking.generate()
  expect(booking.lines().slice(1, -1)).toEqual(own)
  expect((await booking.owner.leases.terms({ id: booking.id })).extraLines).toEqual([
    extraLines[0],
    { ...extraLines[1], taxable: false },
  ])
  await booking.generate({ extraLines: [] })
  expect(booking.lines().slice(1, -1)).toEqual([['State tax (6% of $1,800.00)', 108_00]])
  const refused: [string, Record<string, unknown>[]][] = [
    ['extraLines', Array(11).fill(extraLines[0])],
    ['extraLines.0.amountCents', [{ ...extraLines[0], amountCents: 0 }]],
    ['extraLines.0.label', [{ ...extraLines[0], label: ' ' }]],
    ['extraLines.0.kind', [{ ...extraLines[0], kind: 'tax' }]],
  ]
  for (const [field, extraLines] of refused)
    await expect(booking.generate({ extraLines })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { fields: { [field]: expect.any(String) } },
    })
})

test('a rule change does not affect a stored lease; a rewrite keeps its rates unless its dates change [CHG-16]', async () => {
  const booking = await setUpJuneLease()
  const { cleaning, linen, state, county } = await addFloridaTaxes(booking)
  await booking.generate()
  const before = booking.lines()
  const changed = { ...buildFeeRule({ name: 'Deep cleaning', amountCents: 300_00 }), id: cleaning.id }
  await booking.owner.chargeRules.updateFee(changed)
  await booking.owner.chargeRules.removeFee({ id: linen.id })
  await booking.owner.chargeRules.updateTax({
    ...buildTaxRule({ basisPoints: 700, onFees: false }),
    id: state.id,
  })
  await booking.owner.chargeRules.removeTax({ id: county.id })
  expect(booking.lines()).toEqual(before)
  const guests = [{ firstName: 'Leo', lastName: 'Rivers', isAdult: false }]
  await booking.owner.applications.adminEdit({ id: booking.id, additionalGuests: guests })
  expect(booking.lines()).toEqual([
    ['Rent', 1800_00],
    ['Cleaning fee', 175_00],
    ['Linen (3 guests × $12.50)', 37_50],
    ['State tax (6% of $1,975.00)', 118_50],
    ['County tax (5% of $1,800.00)', 90_00],
    ['Security deposit', 500_00],
  ])
  await booking.owner.applications.adminEdit({ id: booking.id, depositAmount: 600 })
  expect(booking.lines().at(-1)).toEqual(['Security deposit', 600_00])
  expect(booking.lines()[3]).toEqual(['State tax (6% of $1,975.00)', 118_50])
  await booking.owner.applications.adminEdit({ id: booking.id, requestedEndDate: '2026-07-02' })
  expect(booking.lines()).toEqual([
    ['Rent', 1800_00],
    ['Deep cleaning', 300_00],
    ['State tax (7% of $1,800.00)', 126_00],
    ['Security deposit', 600_00],
  ])
  expect(booking.text()).toContain('- Deep cleaning: $300.00')
})

test('a name correction by the tenant rewrites the lease with its existing fees [CHG-16]', async () => {
  const booking = await setUpJuneLease()
  const { cleaning } = await addFloridaTaxes(booking)
  await booking.generate()
  const before = booking.lines()
  await booking.owner.chargeRules.removeFee({ id: cleaning.id })
  const { firstName: _, ...form } = buildApplication()
  await booking.app.as(booking.tenant).applications.update({
    ...form,
    id: booking.id,
    firstName: 'Maja',
    secondApplicantFirstName: 'Ben',
    secondApplicantLastName: 'Jones',
  })
  expect(booking.text()).toContain('Tenant: Maja Rivers and Ben Jones')
  expect(booking.lines()).toEqual(before)
})

test('a preview shows the charges of a lease and writes nothing [CHG-17]', async () => {
  const booking = await setUpJuneLease()
  const { pet } = await addFloridaTaxes(booking)
  const input = { applicationId: booking.id, rentalAmount: 1800, depositAmount: 500, feeIds: [pet.id] }
  const preview = await booking.owner.leases.previewCharges(input)
  expect(preview.lines.map(({ kind, label, amountCents }) => [kind, label, amountCents])).toEqual([
    ['rent', 'Rent', 1800_00],
    ['fee', 'Pet fee', 200_00],
    ['tax', 'State tax (6% of $2,000.00)', 120_00],
    ['tax', 'County tax (5% of $1,800.00)', 90_00],
    ['deposit', 'Security deposit', 500_00],
  ])
  expect(preview.owedCents).toBe(2710_00)
  expect(booking.stored()).toEqual([])
  await booking.generate({ feeIds: [pet.id] })
  expect(booking.total()).toBe(preview.owedCents)
})

test('deleting a lease removes its charges; charges added later stay owed, without their tax [CHG-29]', async () => {
  const booking = await setUpJuneLease()
  await addFloridaTaxes(booking)
  await booking.generate()
  await signBoth(booking)
  await booking.owner.charges.add({
    applicationId: booking.id,
    kind: 'damage',
    label: 'Broken lamp',
    amountCents: 100_00,
    taxable: true,
  })
  expect(booking.lines()).toContainEqual(['State tax (6% of $100.00, added later)', 6_00])
  await booking.owner.leases.adminRemove({ id: booking.id })
  expect(booking.lines()).toEqual([['Broken lamp', 100_00]])
  expect(booking.total()).toBe(100_00)
  const { summary } = await booking.owner.charges.list({ applicationId: booking.id })
  expect(summary).toMatchObject({ owedCents: 100_00, label: 'Amount owed', depositDueCents: 500_00 })
  // A new lease has taxes, which apply to the lamp again.
  await booking.generate()
  expect(booking.lines()).toContainEqual(['State tax (6% of $100.00, added later)', 6_00])
  expect((await verifyStore(booking.app.deps.config, () => {})).faults).toEqual([])
})

async function signBoth({ app, id, tenant }: June) {
  const both = { typedName2: 'Ben Jones', consent2: true }
  await app.as(tenant).leases.sign({ ...typedSignature(id), ...both })
}
