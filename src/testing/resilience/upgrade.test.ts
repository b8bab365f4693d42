import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import type { Environment } from '../../server/kernel/config.ts'
import { productionEnv } from '../production-env.ts'
import { apply, openPortal, type Portal, scan } from '../security/portal.ts'
import { startSite } from '../site-process.ts'
import { verifyErrors } from './writers.ts'

const folders: string[] = []
let portal: Portal | undefined
afterEach(async () => {
  await portal?.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A newer version of the program: this build with an additional migration. */
function newerProgram(migration: string): string {
  const root = mkdtempSync(join(tmpdir(), 'condo-newer-'))
  folders.push(root)
  for (const path of ['package.json', 'db', 'dist/server'])
    cpSync(join(projectRoot, path), join(root, path), {
      recursive: true,
      filter: source => !source.includes('.sqlite'),
    })
  for (const path of ['node_modules', 'dist/client']) symlinkSync(join(projectRoot, path), join(root, path))
  const journalFile = join(root, 'db/migrations/meta/_journal.json')
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 60_000, tag: '9999_next' })
  writeFileSync(journalFile, JSON.stringify(journal))
  writeFileSync(join(root, 'db/migrations/9999_next.sql'), migration)
  return root
}

const contents = ({ database }: Portal) =>
  database(db => {
    const names = db
      .prepare("select name from sqlite_schema where type = 'table' order by name")
      .pluck()
      .all()
    return names.map(name => [name, db.prepare(`select * from "${name}"`).all()])
  })

test('a failed upgrade stops with a message and keeps the old data and version working; the next upgrade works', async () => {
  portal = await openPortal()
  const { folder, site } = portal
  const owner = await portal.admin()
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const sent = await portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) })
  expect(sent.status).toBe(200)
  await site.stop()
  const before = contents(portal)
  const snapshots = () => readdirSync(folder).filter(name => name.startsWith('portal.sqlite.before-upgrade-'))
  const run = (root: string) =>
    startSite(folder, { ...(productionEnv as Record<string, string>), ORIGIN: 'http://localhost' }, root)

  const half = "UPDATE users SET first_name = 'lost';--> statement-breakpoint\n"
  const broken = newerProgram(
    `${half}DROP TABLE payments;--> statement-breakpoint\nSELECT no_such_function();`,
  )
  await expect(run(broken)).rejects.toThrow('The upgrade of the database failed; its data are unchanged.')
  expect(contents(portal)).toEqual(before)
  expect(snapshots()).toHaveLength(1)
  expect(statSync(join(folder, snapshots()[0] ?? '')).mode & 0o777).toBe(0o600)
  await site.restart()
  expect((await portal.call('GET', `/api/application/${id}`, { token: tenant.token })).status).toBe(200)
  expect(await verifyErrors(portal)).toEqual([])
  await site.stop()

  const newer = await run(newerProgram('ALTER TABLE settings ADD extra text;'))
  expect((await fetch(`${newer.url}/api/health`)).status).toBe(200)
  expect(await newer.stop()).toBe(0)
  expect(snapshots()).toHaveLength(2)
  await expect(site.restart()).rejects.toThrow(
    'This database was written by a newer version of the program. Install that version, or restore a backup made before the upgrade.',
  )
}, 60_000)

test('a newer version is tried on a copy first, even beside the live data, and what is wrong with it is told without changing anything [INST-33]', async () => {
  portal = await openPortal()
  const { folder, site } = portal
  const owner = await portal.admin()
  await apply(portal, await portal.tenant(), owner)
  await site.stop()
  const before = [contents(portal), readdirSync(folder)]
  const rehearse = (root: string, env: Environment = {}) =>
    spawnSync(process.execPath, ['dist/server/cli.js', 'rehearse', folder], {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...productionEnv,
        DATABASE_FILE: join(folder, 'portal.sqlite'),
        UPLOADS_DIR: join(folder, 'uploads'),
        ...env,
      },
    })
  const good = newerProgram('ALTER TABLE settings ADD extra text;')
  expect(rehearse(good)).toMatchObject({ status: 0, stdout: 'This version works with these data.\n' })
  // A payment that went back by hand and then at the card provider: no version could mend that.
  const twice = newerProgram(`INSERT INTO payments
    (id, user_id, application_id, type, method, status, amount_cents, refunded_amount_cents, created_at, paid_at)
    SELECT 'card', user_id, id, 'rent', 'card', 'refunded', 50000, 50000, '2026-01-02', '2026-01-02' FROM applications UNION ALL
    SELECT 'hand', user_id, id, 'refund', 'manual', 'succeeded', -50000, 0, '2026-01-03', '2026-01-03' FROM applications;`)
  expect(rehearse(twice)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^More money went back than came in .*\nThis version works with these data\.\n$/,
    ),
  })
  const faults: [string, Environment, RegExp][] = [
    [newerProgram('DELETE FROM payments; DELETE FROM charges;'), {}, /^Rows would be lost: charges\.\n$/],
    [
      newerProgram('SELECT no_such_function();'),
      {},
      /^The upgrade of the database failed; its data are unchanged/,
    ],
    [newerProgram('UPDATE applications SET total_cents = total_cents + 1;'), {}, /applications whose total/],
    [good, { SMTP_URL: 'mail.example' }, /SMTP_URL must be an address/],
  ]
  for (const [root, env, told] of faults)
    expect(rehearse(root, env)).toMatchObject({ status: 1, stdout: expect.stringMatching(told) })
  expect([contents(portal), readdirSync(folder)]).toEqual(before)
}, 60_000)
