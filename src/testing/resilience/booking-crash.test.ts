import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFeeRule, buildTaxRule } from '../build-charge-rule.ts'
import { buildCsv, buildEntry, buildRow } from '../build-entry.ts'
import { openPortal, type Person, type Portal } from '../security/portal.ts'
import { faults } from './writers.ts'

let portal: Portal
let owner: Person
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
})
afterAll(() => portal.close())

/** Asks while the site dies at this point, and starts it again. */
async function killedAt(point: string, ask: () => Promise<unknown>): Promise<void> {
  await portal.site.restart({ FAULT_POINT: point })
  await expect(ask()).rejects.toThrow(TypeError)
  await expect.poll(() => portal.site.hasEnded(), { timeout: 10_000 }).toBe(true)
  await portal.site.restart()
}

/** How much there is of all that a booking writes. */
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
  'killed while a booking is entered, at %s: all of it or nothing, and asked again it is there once [OWN-01, OWN-09]',
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
    await killedAt(point, ask)
    const one = [1, 1, 1, 2, 1, 1, 1, 1]
    const after = before.map((count, index) => count + (one[index] ?? 0))
    expect(written()).toEqual(point === 'after-entry-write' ? after : before)
    expect((await ask()).status).toBe(201)
    expect(written()).toEqual(after)
    expect(await faults(portal)).toEqual([])
  },
)

test.each(['in-import-write', 'after-import-write'])(
  'killed while bookings are imported, at %s: all of them or none, and asked again they are there once [OWN-01, OWN-22]',
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
    await killedAt(point, ask)
    // Charges of $0.00 are kept, too.
    const three = [3, 3, 1, 6, 3, 3, 3, 1]
    const after = before.map((count, index) => count + (three[index] ?? 0))
    expect(written()).toEqual(point === 'after-import-write' ? after : before)
    const answer = await ask()
    expect(answer.body).toMatchObject({ imported: 3 })
    expect(written()).toEqual(after)
    expect(await faults(portal)).toEqual([])
  },
)

/** Text, charges and total of an application, and how many mails and events there are. */
const figures = (id: string) =>
  portal.database(db =>
    [
      'select text from leases where application_id = ? and voided_at is null',
      'select label, amount_cents, source, voided_at from charges where application_id = ? order by rowid',
      'select total_cents, rent_cents from applications where id = ?',
    ]
      .map(sql => db.prepare(sql).all(id))
      .concat([
        [
          db.prepare('select count(*) from outbox').get(),
          db.prepare("select count(*) from events where kind not like 'account.%'").get(),
        ],
      ]),
  )

test('killed while a lease with fees and taxes is generated: text, charges and total are all old [CHG-02, CHG-35]', async () => {
  const admin = (method: 'POST' | 'DELETE', path: string, body?: object) =>
    portal.call(method, path, { token: owner.token, ...(body && { body }) })
  const entry = buildEntry({ email: 'lease@guest.example', startDate: '2045-06-01', endDate: '2045-07-01' })
  const { id } = (await admin('POST', '/api/booking/admin', entry)).body.application
  const { fee } = (await admin('POST', '/api/charge/admin/fees', buildFeeRule())).body
  const { tax } = (await admin('POST', '/api/charge/admin/taxes', buildTaxRule())).body
  const before = figures(id)
  const generate = () => admin('POST', `/api/lease/generate/${id}`, { rentalAmount: 3000 })
  await killedAt('in-lease-write', generate)
  expect(figures(id)).toEqual(before)
  expect(await faults(portal)).toEqual([])
  expect((await generate()).status).toBe(200)
  expect(figures(id)[1]).toHaveLength(4)
  expect(await faults(portal)).toEqual([])
  await admin('DELETE', `/api/charge/admin/fees/${fee.id}`)
  await admin('DELETE', `/api/charge/admin/taxes/${tax.id}`)
})

test('killed while a charge is added: nothing of it is there, and asked again it is there once [CHG-22, CHG-35]', async () => {
  const entry = buildEntry({ email: 'charge@guest.example', startDate: '2046-06-01', endDate: '2046-07-01' })
  const entered = await portal.call('POST', '/api/booking/admin', {
    token: owner.token,
    body: { ...entry, generateLease: false, rentalAmount: 2000 },
  })
  const { id } = entered.body.application
  const body = { kind: 'damage', label: 'Broken lamp', amountCents: 50_00, requestId: randomUUID() }
  const add = () => portal.call('POST', `/api/charge/admin/${id}`, { token: owner.token, body })
  const before = figures(id)
  await killedAt('in-charge-write', add)
  expect(figures(id)).toEqual(before)
  expect(await faults(portal)).toEqual([])
  for (let again = 0; again < 2; again++) expect((await add()).body.summary.owedCents).toBe(2050_00)
  expect(await faults(portal)).toEqual([])
})
