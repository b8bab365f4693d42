import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import SqliteDatabase from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../db/open.ts'
import { type Account, apply, openPortal, type Portal, scan } from '../security/portal.ts'

const folder = mkdtempSync(join(tmpdir(), 'condo-on-disk-'))
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

const write = () =>
  portal.call('PUT', '/api/availability/admin/2031-05-05', {
    token: owner.token,
    body: { isAvailable: false, reason: 'Owner' },
  })

test('sends a response only after its write is on disk, by the order of the running server’s system calls', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, owner)
  const file = join(folder, 'trace')
  const calls = 'trace=fsync,fdatasync,pwrite64,rename,renameat,renameat2,write,writev,sendto,sendmsg'
  const pid = String(portal.site.pid())
  const tracer = spawn('strace', ['-f', '-y', '-s', '5000', '-e', calls, '-o', file, '-p', pid])
  const obstacle = await tracing(tracer)
  if (obstacle) return checkWithoutStrace(obstacle)
  for (let i = 0; i < 5; i += 1) expect((await write()).status).toBe(200)
  const upload = await portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) })
  expect(upload.status).toBe(200)
  tracer.kill('SIGINT')
  await new Promise(resolve => tracer.once('exit', resolve))

  const trace = readFileSync(file, 'utf8')
  // Other jobs write and sync too, so the scan's own calls are told by its name.
  const scanName = /^\d+\s+rename[^\n]*\/incoming\/([^"]+)"/m.exec(trace)?.[1]
  expect(scanName).toBeTruthy()
  const steps = stepsOf(trace, String(scanName))
  expect(steps.filter(step => step === 'response sent').length).toBeGreaterThanOrEqual(6)
  let unsynced = false
  for (const step of steps) {
    if (step === 'WAL written' || step === 'row of the scan written') unsynced = true
    if (step === 'WAL synced') unsynced = false
    if (step === 'response sent') expect(unsynced, steps.join(', ')).toBe(false)
  }
  expect(steps.filter(step => step === 'WAL synced').length).toBeGreaterThanOrEqual(6)
  // The scan's content, name and folder are on disk before its row is written.
  const ofScan = steps.filter(step => !/response|WAL/.test(step))
  expect(ofScan.slice(0, 4)).toEqual([
    'file synced',
    'file renamed',
    'folder synced',
    'row of the scan written',
  ])
})

/** The relevant calls, in the order in which they completed. */
function stepsOf(trace: string, scanName: string): string[] {
  const unfinished = new Map<string, string>()
  return trace.split('\n').flatMap(line => {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, rest)
      // A response counts from its start, a sync from its end.
      return isResponse(rest) ? ['response sent'] : []
    }
    const whole = rest.startsWith('<...') ? (unfinished.get(thread) ?? '') : rest
    if (isResponse(whole)) return rest.startsWith('<...') ? [] : ['response sent']
    if (/^pwrite64\(\d+<[^>]*-wal>/.test(whole))
      return [whole.includes(scanName) ? 'row of the scan written' : 'WAL written']
    if (/^f(data)?sync\(\d+<[^>]*-wal>/.test(whole)) return ['WAL synced']
    if (/^f(data)?sync\(/.test(whole) && whole.includes(`/incoming/${scanName}>`)) return ['file synced']
    if (/^rename/.test(whole) && whole.includes(`/incoming/${scanName}"`)) return ['file renamed']
    if (/^f(data)?sync\(\d+<[^>]*\/uploads>/.test(whole)) return ['folder synced']
    return []
  })
}
const isResponse = (call: string) =>
  /^(write|writev|sendto|sendmsg)\(\d+<(socket|TCP)/.test(call) && call.includes('HTTP/1.1 ')

/** Resolves when strace is attached, or with the reason why it cannot be used here, which is not the site's fault. */
function tracing(tracer: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let output = ''
    tracer.stderr?.on('data', chunk => {
      output += String(chunk)
      if (output.includes('attached')) setTimeout(resolve, 300)
    })
    tracer.once('error', () => resolve('strace is not installed'))
    tracer.once('exit', () =>
      /not permitted/.test(output)
        ? resolve('this user may not trace')
        : reject(new Error(`strace could not attach: ${output}`)),
    )
  })
}

/**
 * Without strace, tests the two halves separately: SQLite guarantees for these settings that each commit syncs the WAL
 * before it returns, and a lock that prevents commits shows that a response waits for its commit.
 */
async function checkWithoutStrace(obstacle: string): Promise<void> {
  console.warn(`${obstacle}: the order of the calls is proven by settings and by a lock instead.`)
  const { sqlite, close } = openDatabase(join(folder, 'settings.sqlite'))
  expect(sqlite.pragma('journal_mode', { simple: true })).toBe('wal')
  expect(sqlite.pragma('synchronous', { simple: true })).toBe(2)
  close()
  const other = new SqliteDatabase(join(portal.folder, 'portal.sqlite'))
  other.exec('BEGIN IMMEDIATE')
  let answered = false
  const waiting = write().then(reply => {
    answered = true
    return reply.status
  })
  await sleep(700)
  expect(answered).toBe(false)
  other.exec('ROLLBACK')
  other.close()
  expect(await waiting).toBe(200)
}
