import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { verifyStore } from '../../server/operations/backup/verify.ts'
import { type Account, apply, checkout, openPortal, type Portal, waitFor } from '../security/portal.ts'
import { startSite } from '../site-process.ts'
import { startSmtp } from '../smtp.ts'
import { type Journal, missingWrites, startWriters, verifyErrors } from './writers.ts'

const folder = mkdtempSync(join(tmpdir(), 'condo-outages-'))
let portal: Portal
let owner: Account
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
})
afterAll(async () => {
  await portal.close()
  rmSync(folder, { recursive: true, force: true })
})

const read = () => portal.call('GET', '/api/application/admin/all', { token: owner.token })

test('while mail server and card provider are down, the site keeps running, reports it, and loses nothing', async () => {
  await portal.smtp.close()
  portal.providerServer.provider.setFault({ status: 503 })
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const pay = () =>
    portal.call('POST', '/api/payment/create-checkout-session', {
      token: tenant.token,
      body: checkout({ applicationId: id }),
    })
  expect((await pay()).status).toBe(502)
  expect((await read()).status).toBe(200)
  const waiting = () =>
    portal.database(
      db => db.prepare("select count(*) from outbox where status = 'queued'").pluck().get() as number,
    )
  expect(waiting()).toBeGreaterThan(0)

  portal.providerServer.provider.setFault({})
  expect((await pay()).status).toBe(200)
  const smtp = await startSmtp(portal.smtp.port)
  // Skips the pause before the next attempt.
  portal.database(db =>
    db.exec(
      "update outbox set next_attempt_at = '2020-01-01T00:00:00.000Z' where last_error is not null and status = 'queued'",
    ),
  )
  await waitFor(() => (waiting() === 0 ? true : undefined), 60_000)
  const ids = smtp.received.map(({ parsed }) => parsed.messageId)
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids).size).toBe(ids.length)
  await smtp.close()
}, 90_000)

test('a backup of the busy site, restored on an empty machine, contains every write acknowledged before it', async () => {
  const journal: Journal = []
  const writers = startWriters(portal, owner, journal, 4)
  await sleep(1500)
  const answeredBefore = [...journal]
  const file = join(folder, 'moving.tar.gz')
  const source = {
    DATABASE_FILE: join(portal.folder, 'portal.sqlite'),
    UPLOADS_DIR: join(portal.folder, 'uploads'),
  }
  const backup = cli(['backup', file], source)
  await writers.stop()
  expect(writers.refusals).toEqual([])
  expect((await backup).code, (await backup).text).toBe(0)

  const target = {
    DATABASE_FILE: join(folder, 'new/portal.sqlite'),
    UPLOADS_DIR: join(folder, 'new/uploads'),
  }
  const restored = await cli(['restore', file], target)
  expect(restored.code, restored.text).toBe(0)
  const names = readdirSync(target.UPLOADS_DIR)
  expect(names.length).toBeGreaterThan(0)
  for (const name of names)
    expect(hashOf(join(target.UPLOADS_DIR, name))).toBe(hashOf(join(source.UPLOADS_DIR, name)))
  const there = {
    ...portal,
    database: <T>(work: (db: SqliteDatabase.Database) => T): T => {
      const db = new SqliteDatabase(target.DATABASE_FILE)
      try {
        return work(db)
      } finally {
        db.close()
      }
    },
  }
  expect(answeredBefore.length).toBeGreaterThan(0)
  expect(missingWrites(there, answeredBefore)).toEqual([])

  const site = await startSite(join(folder, 'new'))
  // A restore ends every session (INST-42).
  const former = await fetch(`${site.url}/api/auth/verify`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  expect(former.status).toBe(401)
  await site.stop()
  const store = { databaseFile: target.DATABASE_FILE, uploadsDir: target.UPLOADS_DIR }
  expect(await verifyStore(store, () => {})).toMatchObject({ faults: [], orphanedFiles: 0 })
}, 60_000)

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
function cli(args: string[], env: Record<string, string>): Promise<{ code: number | null; text: string }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [join(projectRoot, 'dist/server/cli.js'), ...args], {
      env: { PATH: process.env.PATH, ...env },
    })
    let text = ''
    child.stdout.on('data', chunk => {
      text += String(chunk)
    })
    child.once('close', code => resolve({ code, text }))
  })
}

test('on SIGTERM under load, finishes accepted requests, exits with 0 and leaves no WAL file', async () => {
  const journal: Journal = []
  const writers = startWriters(portal, owner, journal, 6)
  await sleep(1200)
  const began = performance.now()
  const code = await portal.site.stop()
  expect(code).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
  await writers.stop()
  // Requests that arrived during the shutdown were rejected.
  expect(writers.refusals.filter(refusal => !refusal.startsWith('Error: 503'))).toEqual([])
  expect(existsSync(join(portal.folder, 'portal.sqlite-wal'))).toBe(false)
  expect(journal.length).toBeGreaterThan(0)
  expect(missingWrites(portal, journal)).toEqual([])
  await portal.site.restart()
  expect(await verifyErrors(portal)).toEqual([])
}, 60_000)
