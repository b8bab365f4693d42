import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { scanPdf } from '../build-lease.ts'
import { apply, openPortal, type Portal, scan } from '../security/portal.ts'
import { verifyErrors } from './writers.ts'

let portal: Portal | undefined
const folder = mkdtempSync(join(tmpdir(), 'condo-full-'))
let mounted = false
afterEach(async () => {
  await portal?.close().catch(() => {})
  if (mounted) execFileSync('umount', [folder])
  rmSync(folder, { recursive: true, force: true })
})

/** A disk that can be filled on demand: a small tmpfs, or a limit on file sizes if mounting is not permitted. */
function smallDisk() {
  const sizeMb = 24
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'tmpfs', folder], {
    encoding: 'utf8',
  })
  mounted = mount.status === 0
  const filler = join(folder, 'filler')
  if (mounted)
    return {
      fill: () => {
        for (let blockBytes = 1024 * 1024; blockBytes >= 4096; blockBytes /= 4)
          spawnSync('dd', [
            'if=/dev/zero',
            `of=${filler}`,
            `bs=${blockBytes}`,
            'conv=notrunc',
            'oflag=append',
          ])
      },
      free: () => rmSync(filler),
    }
  console.warn(
    `No file system can be mounted here (${mount.stderr.trim()}): a limit on file sizes takes its place.`,
  )
  const limit = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(portal?.site.pid()), `--fsize=${bytes}:`])
  return {
    fill: () => limit(String(statSync(join(folder, 'portal.sqlite')).size)),
    free: () => limit('unlimited'),
  }
}

test('on a full disk, rejects writes with 503, keeps serving reads, leaves nothing half-written, and recovers with space', async () => {
  const disk = smallDisk()
  portal = await openPortal({ folder })
  const owner = await portal.admin()
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const { call, mutate } = portal
  const rate = (period: string) =>
    call('POST', '/api/rates/admin', {
      token: owner.token,
      body: { period, startDate: '2031-05-05', endDate: '2031-05-06', monthly: 3000, isActive: false },
    })
  const upload = () =>
    call('POST', '/api/lease/upload-signed', {
      token: tenant.token,
      raw: scan(id, { content: scanPdf(2_000_000) }),
    })
  const periods = () => portal?.database(db => db.prepare('select period from rates').pluck().all())
  expect((await rate('before')).status).toBe(201)

  disk.fill()
  const refused: number[] = []
  const answered: string[] = []
  for (let i = 0; i < 40; i += 1) {
    const { status, text } = await rate(`while full ${i}`)
    if (status === 201) answered.push(`while full ${i}`)
    else {
      refused.push(status)
      expect(text).toContain('Nothing can be stored at the moment. Please try again later.')
    }
  }
  // The WAL file has some spare room, so not every write fails at once.
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused)).toEqual(new Set([503]))
  const refusedUpload = await upload()
  expect([refusedUpload.status, refusedUpload.body.error]).toEqual([
    503,
    'Nothing can be stored at the moment. Please try again later.',
  ])
  expect((await call('GET', '/api/health')).status).toBe(200)
  expect((await call('GET', `/api/application/${id}`, { token: tenant.token })).status).toBe(200)
  expect((await call('GET', '/')).status).toBe(200)
  const backup = spawnSync(
    process.execPath,
    [join(projectRoot, 'dist/server/cli.js'), 'backup', join(folder, 'b.tar.gz')],
    {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        DATABASE_FILE: join(folder, 'portal.sqlite'),
        UPLOADS_DIR: join(folder, 'uploads'),
      },
    },
  )
  if (mounted)
    expect([backup.status, backup.stdout.trim()]).toEqual([1, 'The disk is full. No backup was written.'])

  disk.free()
  expect((await rate('after')).status).toBe(201)
  expect((await upload()).status).toBe(200)
  expect((await mutate('accounts.logout', { token: tenant.token })).status).toBe(200)
  expect(periods()).toEqual(expect.arrayContaining(['before', ...answered, 'after']))
  expect(periods()).toHaveLength(answered.length + 2)
  await portal.site.restart()
  expect(await verifyErrors(portal)).toEqual([])
}, 90_000)
