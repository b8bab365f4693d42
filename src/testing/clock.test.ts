import { afterEach, expect, test } from 'vitest'
import { addDays, dateIn, nightsBetween } from '../domain/common/dates.ts'
import { readConfig } from '../server/kernel/config.ts'
import { createPaymentProvider } from '../server/money/payments/stripe.ts'
import { openEmbedded } from '../server/operations/demo/embedded.ts'
import { buildApplication, dates, makeBooking } from './build-application.ts'
import { testApp, testNow, visitor } from './test-app.ts'

const homeZone = process.env.TZ
afterEach(() => {
  process.env.TZ = homeZone
})
/** Time zones of the server, or of a visitor's browser. */
const zones = ['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'America/New_York', 'Europe/Berlin']

test.each(zones)('on a server in %s, today is the date at the property, to the second', async zone => {
  process.env.TZ = zone
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
  const app = await testApp()
  const today = async (iso: string) => {
    app.setNow(iso)
    return (await app.as(visitor).site.get()).site.today
  }
  // New York is UTC-5 in winter and UTC-4 in summer; clocks change on March 8 and November 1, 2026.
  expect(await today('2026-03-08T04:59:59Z')).toBe('2026-03-07')
  expect(await today('2026-03-08T05:00:00Z')).toBe('2026-03-08')
  expect(await today('2026-03-09T03:59:59Z')).toBe('2026-03-08')
  expect(await today('2026-03-09T04:00:00Z')).toBe('2026-03-09')
  expect(await today('2026-11-01T03:59:59Z')).toBe('2026-10-31')
  expect(await today('2026-11-02T04:59:59Z')).toBe('2026-11-01')
  expect(await today('2026-11-02T05:00:00Z')).toBe('2026-11-02')
  expect(await today('2027-01-01T04:59:59Z')).toBe('2026-12-31')
  expect(await today('2027-01-01T05:00:00Z')).toBe('2027-01-01')
  expect(await today('2028-02-29T04:59:59Z')).toBe('2028-02-28')
  expect(await today('2028-03-01T04:59:59Z')).toBe('2028-02-29')
})

const stays: [what: string, start: string, end: string, nights: number][] = [
  ['across the start of daylight saving time', '2026-03-07', '2026-03-09', 2],
  ['across the end of daylight saving time', '2026-10-31', '2026-11-02', 2],
  ['across New Year', '2026-12-30', '2027-01-02', 3],
  ['across February 29', '2028-02-28', '2028-03-01', 2],
  ['across the end of February in a common year', '2027-02-27', '2027-03-01', 2],
]

test.each(stays)(
  'a stay %s has the same nights, lease and calendar in every server time zone',
  async (...stay) => {
    const [, start, end, nights] = stay
    const seen = []
    for (const zone of zones) {
      process.env.TZ = zone
      const app = await testApp()
      app.setNow('2026-03-01T17:00:00.000Z')
      const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
      const { id } = await makeBooking(app, tenant, admin, buildApplication(dates(start, end)))
      const lease = await app
        .as(admin)
        .leases.generate({ applicationId: id, rentalAmount: 2500, depositAmount: 500 })
      const range = await app
        .as(visitor)
        .availability.range({ startDate: addDays(start, -1), endDate: addDays(end, 1) })
      seen.push(JSON.stringify([lease.leaseAgreement, lease.leaseTextSha256, range]))
      expect(nightsBetween(start, end)).toBe(nights)
    }
    expect(new Set(seen).size).toBe(1)
    expect(seen[0]).toContain(start.slice(0, 4))
  },
)

test('visitors 11 hours behind and 14 hours ahead of UTC can apply for a stay from today at the property', async () => {
  const app = await testApp()
  // At any time, at least one of the two zones has a different date.
  for (const iso of ['2026-03-08T12:00:00.000Z', '2026-11-01T06:30:00.000Z', '2026-12-31T23:30:00.000Z']) {
    app.setNow(iso)
    const today = dateIn(new Date(iso), 'America/New_York')
    for (const zone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
      process.env.TZ = zone
      const tenant = await app.makeTenant()
      const form = buildApplication(dates(today, addDays(today, 30)))
      const { application } = await app.as(tenant).applications.createAndSubmit(form)
      expect(application.requestedStartDate).toBe(today)
      const late = buildApplication(dates(addDays(today, -1), addDays(today, 30)))
      await expect(app.as(tenant).applications.createAndSubmit(late)).rejects.toThrow()
    }
  }
})

test('CLOCK_OFFSET shifts the current date, the check for past dates and the timestamps', async () => {
  const app = await testApp({ env: { CLOCK_OFFSET: '+30d' } })
  const later = new Date(Date.parse(testNow) + 30 * 86_400_000)
  const { site } = await app.as(visitor).site.get()
  expect(site).toMatchObject({ today: '2026-04-03', clockOffsetMs: 30 * 86_400_000 })
  const guest = app.as(await app.makeTenant()).applications
  await expect(
    guest.createAndSubmit(buildApplication(dates('2026-04-02', '2026-05-02'))),
  ).rejects.toMatchObject({ message: 'The start date cannot be in the past' })
  const { application } = await guest.createAndSubmit(buildApplication(dates('2026-04-03', '2026-05-03')))
  expect(application.submittedAt).toBe(later.toISOString())
  expect(application.applicationNumber).toContain('2026')
  app.advance(60_000)
  expect(app.deps.clock.now().getTime()).toBe(later.getTime() + 60_000)
})

test('the demo’s card provider and mailbox use the clock offset too', async () => {
  const config = readConfig({ DATABASE_FILE: ':memory:', CLOCK_OFFSET: '-400d' })
  const payments = createPaymentProvider(config)
  const { mailbox, provider } = openEmbedded(config, payments)
  if (!mailbox || !provider || !payments) throw new Error('the demo has no sandbox provider or mailbox')
  const mail = {
    messageId: 'x@condo.example',
    to: 'maya@guest.example',
    subject: 'Hello',
    text: '',
    html: '',
  }
  await mailbox.send({ ...mail, replyTo: null, attachments: [] })
  const created = await provider.handle({
    method: 'POST',
    path: '/v1/checkout/sessions',
    headers: { authorization: 'Bearer sk_test_x' },
    body: new URLSearchParams({
      mode: 'payment',
      success_url: 'http://localhost:3000/payment/success',
      cancel_url: 'http://localhost:3000/payment/cancel',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '51500',
      'line_items[0][price_data][product_data][name]': 'Deposit',
    }).toString(),
  })
  const ages = [
    Date.parse(mailbox.list()[0]?.receivedAt ?? ''),
    JSON.parse(String(created.body)).created * 1000,
  ].map(ms => Math.round((Date.now() - ms) / 86_400_000))
  expect(ages).toEqual([400, 400])
  mailbox.close()
  await provider.close()
})

test('without CLOCK_OFFSET the clock is unchanged, and the site reports no offset', async () => {
  const app = await testApp()
  expect((await app.as(visitor).site.get()).site).not.toHaveProperty('clockOffsetMs')
  expect(app.deps.clock.now().toISOString()).toBe(testNow)
})
