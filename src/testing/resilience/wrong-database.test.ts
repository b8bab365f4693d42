import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { productionEnv } from '../production-env.ts'
import { type Account, apply, openPortal, type Portal, scan } from '../security/portal.ts'
import { startSite } from '../site-process.ts'
import { verifyErrors } from './writers.ts'

let portal: Portal
let owner: Account
beforeAll(async () => {
  portal = await openPortal()
  owner = await portal.admin()
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  await portal.expectOk(
    portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) }),
  )
})
afterAll(() => portal.close())

const uploads = () => join(portal.folder, 'uploads')
const stored = () =>
  readdirSync(uploads(), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(uploads(), name)))
        .digest('hex'),
    ])
const start = (env: Record<string, string>) =>
  startSite(portal.folder, {
    ...(productionEnv as Record<string, string>),
    ORIGIN: 'http://localhost',
    UPLOADS_DIR: uploads(),
    ...env,
  })
const foreign =
  /The files in .+ belong to a different database than .+: set DATABASE_FILE and UPLOADS_DIR to a matching pair/

test('a site or command with another DATABASE_FILE stops with a message and deletes nothing [FIX-18]', async () => {
  const before = stored()
  const other = join(portal.folder, 'other.sqlite')
  await expect(start({ DATABASE_FILE: other })).rejects.toThrow(foreign)
  expect(existsSync(other)).toBe(false)
  for (const args of [['seed'], ['admin', 'create', '--email', 'x@condo.example'], ['backup', 'x.tar.gz']]) {
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(projectRoot, 'dist/server/cli.js'), ...args],
      {
        encoding: 'utf8',
        input: 'Dune.grass.7\n',
        cwd: portal.folder,
        env: { PATH: process.env.PATH, DATABASE_FILE: other, UPLOADS_DIR: uploads() },
      },
    )
    expect([args, status, stdout]).toEqual([
      args,
      1,
      expect.stringMatching(/belong to a different database|no database/),
    ])
  }
  expect(stored()).toEqual(before)
  expect(await verifyErrors(portal)).toEqual([])
})

test('a second process on the same storage and port deletes nothing of the first; only a successful start sweeps [FIX-18]', async () => {
  const half = join(uploads(), 'f'.repeat(48))
  writeFileSync(half, 'of an upload whose record comes in a moment')
  const longAgo = new Date(Date.now() - 3_600_000)
  utimesSync(half, longAgo, longAgo)
  const before = stored()
  const second = spawnSync(process.execPath, [join(projectRoot, 'dist/server/server.js')], {
    encoding: 'utf8',
    timeout: 20_000,
    env: {
      PATH: process.env.PATH,
      ...(productionEnv as Record<string, string>),
      ORIGIN: portal.url,
      PORT: String(portal.port),
      DATABASE_FILE: join(portal.folder, 'portal.sqlite'),
      UPLOADS_DIR: uploads(),
    },
  })
  expect([second.status, second.stderr]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  expect(stored()).toEqual(before)

  await portal.site.restart()
  await expect.poll(() => existsSync(half)).toBe(false)
  expect(existsSync(join(uploads(), 'orphans', 'f'.repeat(48)))).toBe(true)
  const notices = await portal.expectOk(portal.query('notices.list', { token: owner.token }))
  expect(JSON.stringify(notices)).toContain('1 file without a record was set aside')
  expect(await verifyErrors(portal)).toEqual([])
})
