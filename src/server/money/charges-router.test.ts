import { expect, test } from 'vitest'
import { call, signUpAdmin } from '../../testing/build-account.ts'
import { buildTaxRule } from '../../testing/build-charge-rule.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { testApp } from '../../testing/test-app.ts'

test('a quote returns the broken booking rules, by the current rules [CHG-17, RULE-12]', async () => {
  const app = await testApp()
  const owner = app.as(await app.makeAdmin())
  await owner.rates.create(
    buildRate({ period: 'Year', startDate: '2026-01-01', endDate: '2027-12-31', minStay: 7 }),
  )
  const problems = async () => {
    const url = '/api/charge/quote?startDate=2026-03-09&endDate=2026-03-11&guests=3'
    return (await call(app, 'GET', url)).body.quote.problems
  }
  expect(await problems()).toEqual([])
  await owner.setup.bookingRules.save({
    version: 0,
    body: { stayLength: true, leadDays: 30, arrivalWeekdays: [6, 5], maxGuests: 2 },
  })
  expect(await problems()).toEqual([
    { field: 'startDate', message: 'Please choose an arrival on Apr 3, 2026 or later.' },
    { field: 'startDate', message: 'Arrivals are possible on Friday and Saturday.' },
    { field: 'endDate', message: 'The minimum stay in Year is 7 nights.' },
    { field: 'guests', message: 'At most 2 guests can stay.' },
  ])
})

test('of simultaneous taxes of one authority over the same days, exactly one is stored [CHG-14]', async () => {
  const app = await testApp()
  const { token } = await signUpAdmin(app)
  const save = (name: string, authority: string) =>
    call(app, 'POST', '/api/charge/admin/taxes', { token, body: buildTaxRule({ name, authority }) })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => save(`Tax ${index}`, index % 2 ? ' FLORIDA ' : 'Florida')),
  )
  const [stored, ...others] = answers.filter(({ status }) => status === 201)
  expect(others).toEqual([])
  const message = `Another tax of this authority is valid in that time: ${stored?.body.tax.name}.`
  const refused = answers.filter(({ status }) => status === 400)
  expect(refused.map(({ body }) => body.fields)).toEqual(Array(9).fill({ validFrom: message }))
})
