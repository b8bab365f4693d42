import { expect, test } from 'vitest'
import { buildFeeRule, buildTaxRule } from '../../testing/build-charge-rule.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { testApp, visitor } from '../../testing/test-app.ts'

const url = '/api/charge/quote?startDate=2026-06-01&endDate=2026-06-15'

async function openSite() {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.rates.create(buildRate({ weekly: 1050, endDate: '2026-12-31' }))
  const quote = async (query = '') => (await app.http.inject(`${url}${query}`)).json().quote
  return { app, owner, quote }
}

test('without rules a stay costs its rent, for one guest, plus the deposit [CHG-17]', async () => {
  const { quote } = await openSite()
  expect(await quote()).toEqual({
    startDate: '2026-06-01',
    endDate: '2026-06-15',
    nights: 14,
    guests: 1,
    rentCents: 2100_00,
    rentParts: [{ label: '2 weeks × $1,050.00', amountCents: 2100_00 }],
    lines: [],
    optional: [],
    totalCents: 2100_00,
    depositCents: 500_00,
    problems: [],
  })
})

test('required fees, discounts and taxes are part of the total; optional fees are not [CHG-17]', async () => {
  const { owner, quote } = await openSite()
  const { chargeRules: charges } = owner
  const { tax } = await charges.createTax(buildTaxRule())
  const early = { name: 'Early booking', per: 'rent', amountCents: null, basisPoints: 1000 } as const
  await charges.createFee(buildFeeRule({ kind: 'discount', ...early }))
  await charges.createFee(buildFeeRule({ kind: 'discount', name: 'Friends', required: false }))
  const { fee: linen } = await charges.createFee(
    buildFeeRule({ name: 'Linen', per: 'guest', amountCents: 12_50 }),
  )
  const { fee: pet } = await charges.createFee(
    buildFeeRule({ name: 'Pet fee', amountCents: 200_00, required: false }),
  )
  await charges.createFee(buildFeeRule({ name: 'Short stay', maxNights: 13 }))
  await charges.createFee(buildFeeRule({ name: 'Long stay', required: false, minNights: 15 }))
  await charges.createTax(buildTaxRule({ authority: 'Bay County', validFrom: '2026-06-02' }))
  const { lines, optional, totalCents, rentCents } = await quote('&guests=2')
  expect(
    lines.map(({ amountCents, label }: { amountCents: number; label: string }) => [label, amountCents]),
  ).toEqual([
    ['Linen (2 guests × $12.50)', 25_00],
    ['Early booking (10% of $2,100.00)', -210_00],
    ['State tax (6% of $1,915.00)', 114_90],
  ])
  expect(lines[0]).toMatchObject({ kind: 'fee', feeRuleId: linen.id, taxRuleId: null })
  expect(lines[2]).toMatchObject({ kind: 'tax', feeRuleId: null, taxRuleId: tax.id })
  expect(optional).toEqual([{ feeRuleId: pet.id, label: 'Pet fee', amountCents: 200_00 }])
  expect(rentCents).toBe(2100_00)
  expect(totalCents).toBe(2100_00 + 25_00 - 210_00 + 114_90)
})

test('leaves out lines of $0 and removed rules [CHG-17]', async () => {
  const { owner, quote } = await openSite()
  const { fee } = await owner.chargeRules.createFee(buildFeeRule({ taxable: false }))
  await owner.chargeRules.createTax(buildTaxRule({ onRent: false }))
  expect((await quote()).lines).toMatchObject([{ label: 'Cleaning fee', amountCents: 150_00 }])
  await owner.chargeRules.removeFee({ id: fee.id })
  expect(await quote()).toMatchObject({ lines: [], totalCents: 2100_00 })
})

test('returns no quote if a night has no rate [CHG-17]', async () => {
  const { app } = await openSite()
  const answer = await app.http.inject('/api/charge/quote?startDate=2026-12-30&endDate=2027-01-02')
  expect({ status: answer.statusCode, body: answer.json() }).toEqual({ status: 200, body: { quote: null } })
})

test('returns every broken booking rule with its field, as of today [CHG-17]', async () => {
  const { app, owner, quote } = await openSite()
  const rules = { leadDays: 30, maxGuests: 2, stayLength: true }
  await owner.settings.bookingRules.save({ version: 0, body: rules })
  app.setNow('2026-05-02T17:00:00.000Z')
  expect((await quote('&guests=2')).problems).toEqual([])
  // The result changes a day later, as quotes are not cached.
  app.setNow('2026-05-03T17:00:00.000Z')
  expect((await quote('&guests=3')).problems).toEqual([
    { field: 'startDate', message: 'Please choose an arrival on Jun 2, 2026 or later.' },
    { field: 'guests', message: 'At most 2 guests can stay.' },
  ])
  const short = await app.as(visitor).chargeRules.quote({ startDate: '2026-07-01', endDate: '2026-07-03' })
  expect(short.quote?.problems).toEqual([
    { field: 'endDate', message: 'The minimum stay in Summer is 7 nights.' },
  ])
})

test('rejects an invalid stay with field errors [CHG-17]', async () => {
  const { app } = await openSite()
  const fields = async (query: string) => {
    const answer = await app.http.inject(`/api/charge/quote?${query}`)
    return [answer.statusCode, Object.keys(answer.json().fields ?? {})]
  }
  const dates = 'startDate=2026-06-01&endDate=2026-06-15'
  for (const guests of ['0', '5', '1.5', '-1', 'two'])
    expect(await fields(`${dates}&guests=${guests}`), guests).toEqual([400, ['guests']])
  for (const guests of ['1', '4']) expect(await fields(`${dates}&guests=${guests}`)).toEqual([200, []])
  expect(await fields('startDate=2026-02-30&endDate=2026-06-15')).toEqual([400, ['startDate']])
  expect(await fields('startDate=2026-06-01')).toEqual([400, ['endDate']])
  expect(await fields('startDate=2026-06-01&endDate=2026-06-01')).toEqual([400, ['endDate']])
  expect(await fields('startDate=2026-01-01&endDate=2029-01-01')).toEqual([200, []])
  expect(await fields('startDate=2026-01-01&endDate=2029-01-02')).toEqual([400, ['endDate']])
})
