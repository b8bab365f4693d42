import { afterEach, expect, test } from 'vitest'
import { addDays, dateIn, nightsBetween } from '../domain/dates.ts'
import { buildApplication, dates, makeBooking } from './build-application.ts'
import { testApp, visitor } from './test-app.ts'

const homeZone = process.env.TZ
afterEach(() => {
  process.env.TZ = homeZone
})
/** Where the server, or a visitor's browser, may stand. */
const zones = ['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'America/New_York', 'Europe/Berlin']

test.each(zones)('on a machine in %s today is the property’s, to the second', async zone => {
  process.env.TZ = zone
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
  const app = await testApp()
  const today = async (iso: string) => {
    app.setNow(iso)
    return (await app.as(visitor).site.get()).site.today
  }
  // New York is five hours behind UTC in winter, four in summer; the clocks change on March 8 and November 1, 2026.
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
  ['over the night that lacks an hour', '2026-03-07', '2026-03-09', 2],
  ['over the night that has one more', '2026-10-31', '2026-11-02', 2],
  ['over the year’s end', '2026-12-30', '2027-01-02', 3],
  ['over the 29th of February', '2028-02-28', '2028-03-01', 2],
  ['over the end of a February without one', '2027-02-27', '2027-03-01', 2],
]

test.each(stays)(
  'a stay %s has its nights, lease and calendar the same wherever the server stands',
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

test('a visitor eleven hours behind and one fourteen ahead may both ask for today at the property', async () => {
  const app = await testApp()
  // One of them has another date on the calendar at any moment.
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
