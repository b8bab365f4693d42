import { expect, test } from 'vitest'
import { dates, makeBooking } from '../../testing/build-application.ts'
import { buildEntry } from '../../testing/build-entry.ts'
import { buildRate } from '../../testing/build-rate.ts'
import { testApp } from '../../testing/test-app.ts'

async function openSite() {
  const app = await testApp()
  const [tenant, admin] = [await app.makeTenant(), await app.makeAdmin()]
  const owner = app.as(admin)
  await owner.rates.create(buildRate({ startDate: '2026-01-01', endDate: '2027-12-31', monthly: 3000 }))
  let version = 0
  return {
    app,
    owner,
    tenant: app.as(tenant),
    setDeposit: async (amountCents: number | null) => {
      ;({ version } = await owner.settings.deposit.save({ version, body: { amountCents } }))
    },
    leaseFor: async (start: string, end: string, terms: { rentalAmount?: number } = {}) => {
      const { id } = await makeBooking(app, tenant, admin, dates(start, end))
      await owner.leases.generate({ applicationId: id, ...terms })
      return id
    },
    quotedCents: async (startDate: string, endDate: string) =>
      (await app.as(tenant).chargeRules.quote({ startDate, endDate })).quote?.depositCents,
    depositOf: async (id: string) => (await owner.applications.adminGet({ id })).application.depositAmount,
  }
}

test('the owner’s deposit is in the estimate, the site’s data, new leases and new bookings; $500 until it is set [LOOK-56]', async () => {
  const { depositOf, leaseFor, owner, quotedCents, setDeposit } = await openSite()
  const stay = ['2026-06-01', '2026-07-01'] as const
  expect(await quotedCents(...stay)).toBe(500_00)
  const before = await leaseFor(...stay)
  await setDeposit(750_50)
  expect(await quotedCents('2026-07-01', '2026-08-01')).toBe(750_50)
  expect((await owner.site.get()).site.depositCents).toBe(750_50)
  expect(await depositOf(await leaseFor('2026-07-01', '2026-08-01'))).toBe(750.5)
  const { application } = await owner.manualBookings.create(
    buildEntry({ startDate: '2026-09-01', endDate: '2026-10-01' }),
  )
  expect(application.depositAmount).toBe(750.5)
  // A lease keeps its deposit, also when it is written again.
  expect(await depositOf(before)).toBe(500)
  await owner.leases.generate({ applicationId: before, leaseEndDate: '2026-06-30' })
  expect(await depositOf(before)).toBe(500)
})

test('a month’s rent follows the rent of the lease, and for less than a month that of the stay [LOOK-56]', async () => {
  const { depositOf, leaseFor, quotedCents, setDeposit } = await openSite()
  await setDeposit(null)
  expect(await quotedCents('2026-06-01', '2026-09-01')).toBe(3000_00)
  expect(await quotedCents('2026-06-01', '2026-06-08')).toBe(1050_00)
  expect(await depositOf(await leaseFor('2026-06-01', '2026-09-01', { rentalAmount: 2800 }))).toBe(2800)
})

test('before a lease the payment page asks for the deposit that the lease will have [LOOK-56]', async () => {
  const { app, setDeposit } = await openSite()
  const maya = await app.makeTenant()
  await makeBooking(app, maya, await app.makeAdmin(), dates('2026-06-01', '2026-07-01'))
  const options = async () => app.as(maya).payments.options()
  expect(await options()).toMatchObject({ depositCents: 500_00, applications: [{ depositCents: 500_00 }] })
  await setDeposit(null)
  // Without an application there is no rent.
  expect(await options()).toMatchObject({ depositCents: 500_00, applications: [{ depositCents: 3000_00 }] })
  await setDeposit(900_00)
  expect(await options()).toMatchObject({ depositCents: 900_00, applications: [{ depositCents: 900_00 }] })
})

test.each([-1, 1.5, 1_000_000_001, Number.NaN])('refuses a deposit of %s cents [LOOK-56]', async cents => {
  const { setDeposit } = await openSite()
  await expect(setDeposit(cents)).rejects.toThrow()
})
