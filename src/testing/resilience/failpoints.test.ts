import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { projectRoot } from '../../../db/project-root.ts'
import { type SignedPlan, storeSignedPlan } from '../build-signed-plan.ts'
import { type Account, apply, checkout, openPortal, type Portal, signature } from '../security/portal.ts'
import { verifyErrors } from './writers.ts'

const folders: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'condo-failpoint-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
let portal: Portal
let owner: Account
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
})
afterAll(() => portal.close())

/** Restarts the site so that it kills itself at this point. */
const killAt = (point: string) => portal.site.restart({ FAILPOINT: point })
/** Restarts the site in the same folder after it has died. */
async function startAgain(): Promise<void> {
  await expect.poll(() => portal.site.hasEnded(), { timeout: 10_000 }).toBe(true)
  await portal.site.restart()
}
const count = (sql: string, ...values: string[]) =>
  portal.database(db =>
    db
      .prepare(`select count(*) from ${sql}`)
      .pluck()
      .get(...values),
  )
const expectConnectionLost = (request: Promise<unknown>) => expect(request).rejects.toThrow(TypeError)

test('killed after the provider opened a checkout: a retry ends in one session and one payment', async () => {
  await killAt('checkout-opened')
  const sessionsBefore = Object.keys(portal.providerServer.provider.truth()).length
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant)
  const ask = () =>
    portal.call('POST', '/api/payment/create-checkout-session', {
      token: tenant.token,
      body: checkout({ applicationId: id }),
    })
  await expectConnectionLost(ask())
  await startAgain()
  expect((await ask()).status).toBe(200)
  expect(Object.keys(portal.providerServer.provider.truth())).toHaveLength(sessionsBefore + 1)
  expect(count('payments where user_id = ?', tenant.id)).toBe(1)
  expect(await verifyErrors(portal)).toEqual([])
})

test('killed after the provider refunded: repeating the request makes no second refund', async () => {
  await killAt('refund-answered')
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const { call, expectOk, providerServer } = portal
  const { url } = await expectOk(
    call('POST', '/api/payment/create-checkout-session', {
      token: tenant.token,
      body: checkout({ applicationId: id }),
    }),
  )
  const row = portal.database(
    db =>
      db
        .prepare('select id, checkout_session_id as session from payments where checkout_url = ?')
        .get(url) as {
        id: string
        session: string
      },
  )
  providerServer.provider.pay(row.session)
  await expectOk(call('GET', `/api/payment/by-session/${row.session}`, { token: tenant.token }))
  const ask = () =>
    portal.mutate('payments.refund', {
      token: owner.token,
      body: { paymentId: row.id, requestId: '0b2f2f0e-3c1d-4b8e-9d55-1f2a4c6e8a10', totalCents: 100_00 },
    })
  await expectConnectionLost(ask())
  await startAgain()
  const answer = await ask()
  expect(answer.status, answer.text).toBe(200)
  expect(providerServer.provider.truth()[row.session]).toMatchObject({ refunded: 100_00 })
  expect(await verifyErrors(portal)).toEqual([])
})

test.each(['in-event-write', 'after-event-write'])(
  'killed in the webhook, at %s: after redelivery the money counts once, with one receipt',
  async point => {
    const tenant = await portal.tenant()
    const { id } = await apply(portal, tenant, owner)
    const { call, expectOk, providerServer } = portal
    const body = checkout({ applicationId: id })
    await expectOk(call('POST', '/api/payment/create-checkout-session', { token: tenant.token, body }))
    const session = String(
      portal.database(db =>
        db.prepare('select checkout_session_id from payments where application_id = ?').pluck().get(id),
      ),
    )
    providerServer.provider.pay(session)
    const event = providerServer.provider
      .events()
      .findLast(({ type }) => type === 'checkout.session.completed')
    await killAt(point)
    expect(await providerServer.provider.deliverEvent(event?.id ?? '')).toEqual([0])
    await startAgain()
    const counted = () => count("payments where status = 'succeeded' and application_id = ?", id)
    expect(counted()).toBe(point === 'after-event-write' ? 1 : 0)
    expect(await providerServer.provider.deliverEvent(event?.id ?? '', 3)).toEqual([200, 200, 200])
    expect(counted()).toBe(1)
    expect(count("outbox where kind = 'payment-receipt' and to_address = ?", tenant.email)).toBe(1)
    expect(await verifyErrors(portal)).toEqual([])
  },
)

test('killed at each step of a bank payment: ends with one payment and one mail of each kind [BANK-10]', async () => {
  const { call, expectOk, providerServer } = portal
  const settings = { token: owner.token, body: { version: 0, body: { enabled: true } } }
  await expectOk(call('PUT', '/api/setup/admin/bank', settings))
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const body = { ...checkout({ applicationId: id }), creditCardFee: 0, providerMethod: 'us_bank_account' }
  const ask = () =>
    call('POST', '/api/payment/create-checkout-session', {
      token: tenant.token,
      body: { ...body, totalAmount: body.amount },
    })
  const row = () =>
    portal.database(db =>
      db
        .prepare(
          'select status, checkout_session_id as session, count(*) over () as total from payments where application_id = ?',
        )
        .get(id),
    ) as { status: string; session: string; total: number }
  expect((await ask()).status).toBe(200)

  const step = async (
    point: 'in-event-write' | 'after-event-write',
    type: string,
    before: string,
    after: string,
  ) => {
    const event = providerServer.provider.events().findLast(each => each.type === type)
    await killAt(point)
    expect(await providerServer.provider.deliverEvent(event?.id ?? '')).toEqual([0])
    await startAgain()
    expect(row().status).toBe(point === 'in-event-write' ? before : after)
    expect(await providerServer.provider.deliverEvent(event?.id ?? '', 3)).toEqual([200, 200, 200])
    expect(row()).toMatchObject({ status: after, total: 1 })
  }
  const { session } = row()
  providerServer.provider.completeUnpaid(session)
  await step('in-event-write', 'checkout.session.completed', 'pending', 'processing')
  providerServer.provider.settle(session, true)
  await step('after-event-write', 'checkout.session.async_payment_succeeded', 'processing', 'succeeded')
  const charge = providerServer.provider.events().findLast(({ type }) => type === 'charge.succeeded')
    ?.data.object
  providerServer.provider.openDispute((charge as Stripe.Charge).id)
  await step('in-event-write', 'charge.dispute.created', 'succeeded', 'returned')
  const kinds = portal.database(db =>
    db
      .prepare(
        "select kind, count(*) as total from outbox where kind like 'bank-%' or (kind = 'payment-receipt' and to_address = ?) group by kind order by kind",
      )
      .all(tenant.email),
  )
  expect(kinds).toEqual([
    { kind: 'bank-payment-on-its-way', total: 1 },
    // One to the tenant and one to the owner.
    { kind: 'bank-payment-returned', total: 2 },
    { kind: 'payment-receipt', total: 1 },
  ])
  expect(await verifyErrors(portal)).toEqual([])
}, 60_000)

function cli(folder: string, args: string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [join(projectRoot, 'dist/server/cli.js'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATABASE_FILE: join(folder, 'db/portal.sqlite'),
      UPLOADS_DIR: join(folder, 'uploads'),
      BACKUP_DIR: join(folder, 'backups'),
      ...env,
    },
  })
}

test.each(['backup-snapshot', 'backup-packed'])(
  "a backup killed at %s leaves no file with a backup's name, and the next backup is complete",
  point => {
    const folder = newFolder()
    openDatabase(join(folder, 'db/portal.sqlite')).close()
    expect(cli(folder, ['backup'], { FAILPOINT: point }).signal).toBe('SIGKILL')
    expect(readdirSync(join(folder, 'backups')).filter(name => name.startsWith('condo-'))).toEqual([])
    expect(cli(folder, ['backup']).status).toBe(0)
    const [name = ''] = readdirSync(join(folder, 'backups')).filter(name => name.startsWith('condo-'))
    expect(cli(folder, ['verify', join(folder, 'backups', name)]).status).toBe(0)
  },
)

test('a restore killed before or while it moves the files leaves no database to start on, and can be repeated', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, body: signature() }),
  )
  const from = {
    DATABASE_FILE: join(portal.folder, 'portal.sqlite'),
    UPLOADS_DIR: join(portal.folder, 'uploads'),
  }
  const file = join(newFolder(), 'moving.tar.gz')
  expect(cli(portal.folder, ['backup', file], from).status).toBe(0)
  for (const point of ['restore-checked', 'restore-moved']) {
    const folder = newFolder()
    expect(cli(folder, ['restore', file], { FAILPOINT: point }).signal).toBe('SIGKILL')
    expect(existsSync(join(folder, 'db/portal.sqlite'))).toBe(false)
    const restored = cli(folder, ['restore', file])
    expect(restored.status, restored.stdout).toBe(0)
    expect(cli(folder, ['verify']).stdout).toContain('All is well: the database and')
  }
})

// Runs after the restore tests, which verify this site's store: the lease stored here has no file.
test('killed while and after a reminder is queued: queues and sends it once [PLAN-40]', async () => {
  const { email, id: userId } = await portal.tenant()
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const database = openDatabase(join(portal.folder, 'portal.sqlite'))
  const createdAt = ago(10)
  const number = 'APP-2026-9001'
  const parts: SignedPlan['parts'] = [[1000_00, ago(4).slice(0, 10), { createdAt }]]
  storeSignedPlan(database.db, { userId, number, signedAt: createdAt, parts })
  database.close()
  const written = () => count("outbox where kind = 'payment-reminder' and to_address = ?", email)
  for (const [point, rows] of [
    ['in-clock-write', 0],
    ['after-clock-write', 1],
  ] as const) {
    // The site may die before its start resolves.
    await killAt(point).catch(() => {})
    await expect.poll(() => portal.site.hasEnded(), { timeout: 10_000 }).toBe(true)
    expect(written()).toBe(rows)
  }
  const received = () => portal.smtp.received.filter(({ envelope }) => envelope.to.includes(email)).length
  await startAgain()
  await expect.poll(received, { timeout: 15_000 }).toBe(1)
  await portal.site.restart()
  expect([written(), received()]).toEqual([1, 1])
})

/** Opens the database with an additional, slow migration, in a process that can be killed. */
const upgrade = (file: string, migrations: string) =>
  `import { openDatabase } from ${JSON.stringify(join(projectRoot, 'db/open.ts'))}
   console.log('begin')
   openDatabase(${JSON.stringify(file)}, { migrationsFolder: ${JSON.stringify(migrations)} }).close()
   console.log('done')`

test('a killed upgrade leaves the old data intact and a complete snapshot, and can be repeated', async () => {
  const folder = newFolder()
  const file = join(folder, 'portal.sqlite')
  const old = openDatabase(file)
  const insert = old.sqlite.prepare('insert into settings values (?, ?)')
  for (let i = 0; i < 2000; i += 1) insert.run(`key ${i}`, 'kept')
  old.close()
  const migrations = join(folder, 'migrations')
  cpSync(join(projectRoot, 'db/migrations'), migrations, { recursive: true })
  const journalFile = join(migrations, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 60_000, tag: '9999_slow' })
  writeFileSync(journalFile, JSON.stringify(journal))
  writeFileSync(
    join(migrations, '9999_slow.sql'),
    `UPDATE settings SET value = 'changed';--> statement-breakpoint
     CREATE TABLE slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
       SELECT i, hex(randomblob(20)) AS filler FROM n;`,
  )
  const script = join(folder, 'upgrade.ts')
  writeFileSync(script, upgrade(file, migrations))
  for (const afterMs of [5, 150]) {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await new Promise(resolve => setTimeout(resolve, afterMs))
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { sqlite, close } = openDatabase(file)
    expect(sqlite.prepare("select count(*) from settings where value = 'kept'").pluck().get()).toBe(2000)
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    close()
  }
  const finished = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  expect(finished.stdout).toContain('done')
  const snapshots = readdirSync(folder)
    .filter(name => name.includes('before-upgrade'))
    .sort()
  const snapshot = openDatabase(join(folder, snapshots.at(-1) ?? ''))
  expect(snapshot.sqlite.prepare("select count(*) from settings where value = 'kept'").pluck().get()).toBe(
    2000,
  )
  snapshot.close()
}, 60_000)
