import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCsv, buildEntry, buildRow } from '../build-entry.ts'
import { type Account, apply, openPortal, type Portal, signature } from '../security/portal.ts'
import { verifyErrors } from './writers.ts'

let portal: Portal
let owner: Account
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
})
afterAll(() => portal.close())

/** Sends a request while the site is killed at this point, then restarts it. */
async function killDuringRequest(point: string, ask: () => Promise<unknown>): Promise<void> {
  await portal.site.restart({ FAILPOINT: point })
  await expect(ask()).rejects.toThrow(TypeError)
  await expect.poll(() => portal.site.hasEnded(), { timeout: 10_000 }).toBe(true)
  await portal.site.restart()
}

/** Row counts of all tables that a booking writes to. */
const written = () =>
  portal.database(db =>
    [
      'users',
      'applications',
      'leases',
      'charges',
      'payments',
      'access_links',
      'outbox',
      'entry_requests',
    ].map(table => Number(db.prepare(`select count(*) from ${table}`).pluck().get())),
  )

test.each(['in-entry-write', 'after-entry-write'])(
  'killed while a booking is entered, at %s: writes all or nothing, and a retry creates it once [OWN-01, OWN-09]',
  async point => {
    const year = point === 'in-entry-write' ? 2041 : 2042
    const body = {
      ...buildEntry({
        email: `${point}@guest.example`,
        startDate: `${year}-06-01`,
        endDate: `${year}-07-01`,
        payments: [{ amount: 100_00, paymentType: 'rent' }],
      }),
      requestId: randomUUID(),
    }
    const ask = () => portal.call('POST', '/api/booking/admin', { token: owner.token, body })
    const before = written()
    await killDuringRequest(point, ask)
    const one = [1, 1, 1, 2, 1, 1, 1, 1]
    const after = before.map((count, index) => count + (one[index] ?? 0))
    expect(written()).toEqual(point === 'after-entry-write' ? after : before)
    expect((await ask()).status).toBe(201)
    expect(written()).toEqual(after)
    expect(await verifyErrors(portal)).toEqual([])
  },
)

test.each(['in-import-write', 'after-import-write'])(
  'killed while bookings are imported, at %s: writes all or none, and a retry creates them once [OWN-01, OWN-22]',
  async point => {
    const year = point === 'in-import-write' ? 2043 : 2044
    const rows = ['06', '07', '08'].map(month =>
      buildRow({
        email: `${point}-${month}@guest.example`,
        start_date: `${year}-${month}-01`,
        end_date: `${year}-${month}-20`,
        monthly_rent: '1250',
        rent_paid: '100',
        lease: month === '06' ? 'yes' : 'no',
      }),
    )
    const body = { csv: buildCsv(rows), dryRun: false, invite: true, requestId: randomUUID() }
    const ask = () => portal.call('POST', '/api/booking/admin/import', { token: owner.token, body })
    const before = written()
    await killDuringRequest(point, ask)
    // Charges of $0.00 are stored too.
    const three = [3, 3, 1, 6, 3, 3, 3, 1]
    const after = before.map((count, index) => count + (three[index] ?? 0))
    expect(written()).toEqual(point === 'after-import-write' ? after : before)
    const answer = await ask()
    expect(answer.body).toMatchObject({ imported: 3 })
    expect(written()).toEqual(after)
    expect(await verifyErrors(portal)).toEqual([])
  },
)

/** Every table with a lease's money. */
const money = () =>
  portal.database(db =>
    [
      'select text, rent_cents, plan_choice from leases',
      'select * from charges',
      'select total_cents from applications',
      'select * from payment_plans',
      'select * from instalments',
      'select * from events',
    ].map(query => db.prepare(`${query} order by 1`).all()),
  )

test('killed while a lease or later charge is written: keeps the old text, charges, plan and total, and can be retried [CHG-02, CHG-35, PLAN-04]', async () => {
  const { token } = owner
  const fee = {
    kind: 'fee',
    name: 'Cleaning fee',
    per: 'stay',
    amountCents: 150_00,
    required: true,
    taxable: true,
  }
  const tax = { name: 'State tax', authority: 'Florida', basisPoints: 600, onRent: true, onFees: true }
  await portal.expectOk(portal.call('POST', '/api/charge/admin/fees', { token, body: fee }))
  await portal.expectOk(portal.call('POST', '/api/charge/admin/taxes', { token, body: tax }))
  const plan = { version: 0, body: { kind: 'split' } }
  await portal.expectOk(portal.call('PUT', '/api/setup/admin/plan', { token, body: plan }))
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)

  const generate = () =>
    portal.call('POST', `/api/lease/generate/${id}`, {
      token,
      body: { rentalAmount: 3100, depositAmount: 800 },
    })
  const before = money()
  await killDuringRequest('in-lease-write', generate)
  expect(money()).toEqual(before)
  expect((await generate()).status).toBe(200)
  const generated = money()
  expect(generated).not.toEqual(before)

  // Applying has already generated the lease.
  const body = { version: 2, kind: 'monthly' }
  const change = () => portal.call('PUT', `/api/plan/admin/${id}`, { token, body })
  await killDuringRequest('in-lease-write', change)
  expect(money()).toEqual(generated)
  expect(await change()).toMatchObject({ status: 200, body: { plan: { kind: 'monthly', version: 3 } } })

  const sign = portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, body: signature() })
  expect((await sign).status).toBe(200)
  const signed = money()
  const lamp = {
    kind: 'damage',
    label: 'Broken lamp',
    amountCents: 45_00,
    taxable: true,
    requestId: randomUUID(),
  }
  const add = () => portal.call('POST', `/api/charge/admin/${id}`, { token, body: lamp })
  await killDuringRequest('in-charge-write', add)
  expect(money()).toEqual(signed)
  for (let times = 0; times < 2; times++) expect((await add()).status).toBe(201)
  const owed = await portal.call('GET', `/api/charge/${id}`, { token: tenant.token })
  expect(owed.body.charges.map(({ label }: { label: string }) => label)).toEqual([
    'Rent',
    'Cleaning fee',
    'State tax (6% of $3,250.00)',
    'Broken lamp',
    'State tax (6% of $45.00, added later)',
    'Security deposit',
  ])
  expect(await verifyErrors(portal)).toEqual([])
})
