import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { adminPassword } from '../build-account.ts'
import { productionEnv } from '../production-env.ts'
import { type Account, apply, checkout, openPortal, type Portal } from '../security/portal.ts'
import { paymentDifferences, verifyFaults } from './writers.ts'

let portal: Portal
let owner: Account
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
})
afterAll(() => portal.close())

const click = (tenant: Account, applicationId: string) =>
  portal.call('POST', '/api/payment/create-checkout-session', {
    token: tenant.token,
    body: checkout({ applicationId }),
  })
type Row = { id: string; status: string; session: string | null }
const paymentsOf = (applicationId: string) =>
  portal.database(
    db =>
      db
        .prepare('select id, status, checkout_session_id as session from payments where application_id = ?')
        .all(applicationId) as Row[],
  )
const receiptsOf = (tenant: Account) =>
  portal.database(db =>
    db
      .prepare("select count(*) from outbox where kind = 'payment-receipt' and to_address = ?")
      .pluck()
      .get(tenant.email),
  )

test('with a provider that responds too late, then slowly, the site keeps running and all clicks end in one session', async () => {
  const { provider } = portal.providerServer
  const sessionsBefore = Object.keys(provider.truth()).length
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  // The site times out after ten seconds and retries with the same idempotency key; the provider did the work anyway.
  provider.setFault({ answerAfterTimeout: true, delayMs: 12_000, failNext: 1 })
  const asked = performance.now()
  const late = click(tenant, id)
  expect((await portal.call('GET', '/api/health')).status).toBe(200)
  expect((await portal.call('GET', `/api/application/${id}`, { token: tenant.token })).status).toBe(200)
  expect(performance.now() - asked).toBeLessThan(3000)
  const { status, text, body } = await late
  expect(status, text).toBe(200)
  expect(performance.now() - asked).toBeGreaterThan(9000)

  provider.setFault({ delayMs: 1500 })
  const again = await Promise.all([click(tenant, id), click(tenant, id)])
  provider.setFault({})
  expect(again.map(reply => reply.body.url)).toEqual([body.url, body.url])
  expect(Object.keys(provider.truth())).toHaveLength(sessionsBefore + 1)
  expect(paymentsOf(id)).toHaveLength(1)
}, 60_000)

test('counts the money once, with one receipt, when events come days late, concurrently and in reverse order', async () => {
  const { provider } = portal.providerServer
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  expect((await click(tenant, id)).status).toBe(200)
  const [row] = paymentsOf(id)
  const known = new Set(provider.events().map(event => event.id))
  provider.pay(row?.session ?? '')
  // Makes the payment three days old.
  portal.database(db => {
    const back = "strftime('%Y-%m-%dT%H:%M:%fZ', julianday(created_at) - 3)"
    db.prepare(`update payments set created_at = ${back} where id = ?`).run(row?.id)
  })
  expect(paymentsOf(id)).toMatchObject([{ status: 'pending' }])
  const events = provider.events().filter(event => !known.has(event.id))
  expect(events.length).toBeGreaterThan(0)
  for (const event of events.toReversed())
    expect(new Set(await provider.deliverEvent(event.id, 5))).toEqual(new Set([200]))
  expect(paymentsOf(id)).toMatchObject([{ status: 'succeeded' }])
  expect(receiptsOf(tenant)).toBe(1)
  expect(await paymentDifferences(portal)).toEqual([])
  expect(receiptsOf(tenant)).toBe(1)
  expect(await verifyFaults(portal)).toEqual([])
})

test('when two admins approve overlapping dates at once, one succeeds and the other gets the reason', async () => {
  const { call, folder } = portal
  const email = 'second-keeper@condo.example'
  const created = spawnSync(
    process.execPath,
    [join(projectRoot, 'dist/server/cli.js'), 'admin', 'create', '--email', email],
    {
      encoding: 'utf8',
      input: `${adminPassword}\n`,
      env: {
        PATH: process.env.PATH,
        ...(productionEnv as Record<string, string>),
        DATABASE_FILE: join(folder, 'portal.sqlite'),
        UPLOADS_DIR: join(folder, 'uploads'),
      },
    },
  )
  expect(created.status, created.stdout).toBe(0)
  const other = await portal.logIn(email, adminPassword)
  // Two tenants, because writes are limited per tenant and ten minutes.
  const tenants = [await portal.tenant(), await portal.tenant()] as const
  for (let round = 0; round < 10; round += 1) {
    const stay = (start: number, end: number) => ({
      requestedStartDate: new Date(Date.UTC(2032, round, start)).toISOString().slice(0, 10),
      requestedEndDate: new Date(Date.UTC(2032, round, end)).toISOString().slice(0, 10),
    })
    const first = await apply(portal, tenants[0], undefined, stay(1, 8))
    const second = await apply(portal, tenants[1], undefined, stay(7, 14))
    const approve = ({ token }: { token: string }, { id }: { id: string }) =>
      call('PUT', `/api/application/admin/${id}/status`, { token, body: { status: 'approved' } })
    const answers = await Promise.all([approve(owner, first), approve(other, second)])
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual([409])
    expect(refused[0]?.body.error).toMatch(
      /^These dates overlap application APP-\d{4}-\d{4}, which is booked for /,
    )
  }
  expect(await verifyFaults(portal)).toEqual([])
}, 60_000)
