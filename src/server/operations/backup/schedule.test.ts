import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { hourMs } from '../../../domain/common/durations.ts'
import { productionEnv } from '../../../testing/production-env.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { writeFact } from '../../kernel/installation-facts.ts'
import { failedKey } from './elsewhere/state.ts'
import { backupState, recordBackup } from './last-backup.ts'
import { type BackupRun, startBackups } from './schedule.ts'

/** Fake backups that are counted; the test decides whether they succeed. */
function scheduled(app: TestApp) {
  const told = { ok: true, lastLine: '' }
  const runs: string[][] = []
  const run = (args: string[]): BackupRun => {
    runs.push(args)
    if (told.ok) recordBackup(app.deps.config.databaseFile, app.deps.clock.now(), 0)
    return { stop: () => {}, result: Promise.resolve({ ...told }) }
  }
  return { ...startBackups(app.deps, run), told, runs: () => runs.length, lastArgs: () => runs.at(-1) }
}
const ownersBoard = async (app: TestApp) => {
  const owner = await app.makeAdmin()
  return async () =>
    (await app.as(owner).notices.list()).notices
      .filter(({ id }) => id.startsWith('backup-'))
      .map(({ id, detail }) => [id, detail])
}

test('makes a backup a day, retries a failed one after an hour, and shows the failure until one succeeds', async () => {
  const app = await testApp({ env: productionEnv })
  const board = await ownersBoard(app)
  const { runIfDue, runs, told, stop } = scheduled(app)
  expect(await board()).toEqual([['backup-none', expect.stringContaining('a minute after')]])
  await runIfDue()
  expect([runs(), await board()]).toEqual([1, []])
  await runIfDue()
  app.advance(23 * hourMs)
  await runIfDue()
  expect(runs()).toBe(1)

  app.advance(hourMs)
  Object.assign(told, { ok: false, lastLine: 'The disk is full. No backup was written.' })
  await runIfDue()
  await runIfDue()
  expect(runs()).toBe(2)
  expect(await board()).toEqual([['backup-failed', 'The disk is full. No backup was written.']])
  app.advance(hourMs)
  told.ok = true
  await runIfDue()
  expect([runs(), await board()]).toEqual([3, []])
  await stop()
  app.advance(48 * hourMs)
  await runIfDue()
  expect(runs()).toBe(3)
  expect(await board()).toEqual([['backup-old', expect.any(String)]])
})

test('makes the next backup even if the clock was ahead at the last one', async () => {
  const app = await testApp({ env: productionEnv })
  const { runIfDue, runs, stop } = scheduled(app)
  app.advance(1000 * 24 * hourMs)
  await runIfDue()
  app.advance(-1000 * 24 * hourMs)
  await runIfDue()
  expect(runs()).toBe(2)
  await stop()
})

test.each([
  ['the demo', {}],
  ['a site whose backups are made elsewhere', { ...productionEnv, BACKUPS: 'off' }],
])('%s shows no notices about backups', async (_who, env) => {
  const app = await testApp({ env })
  expect(await (await ownersBoard(app))()).toEqual([])
})

// Slow: the backup process runs at a low priority next to all other tests.
test('the daily backup runs the command line in a separate process, and leaves nothing behind when stopped', async () => {
  const app = await testApp()
  const { config } = app.deps
  const folder = join(app.folder, 'backups')
  vi.stubEnv('DATABASE_FILE', config.databaseFile)
  vi.stubEnv('UPLOADS_DIR', config.uploadsDir)
  vi.stubEnv('BACKUP_DIR', folder)
  try {
    const first = startBackups(app.deps)
    await first.runIfDue()
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^condo-.*\.tar\.gz$/)])
    expect(backupState(app.deps.db).failed).toBeUndefined()
    await first.stop()

    app.advance(10 * 365 * 24 * hourMs)
    const second = startBackups(app.deps)
    const running = second.runIfDue()
    await second.stop()
    await running
    expect(readdirSync(folder).filter(name => name.startsWith('condo-'))).toHaveLength(1)
    expect(backupState(app.deps.db).failed).toBeUndefined()
  } finally {
    vi.unstubAllEnvs()
  }
}, 90_000)

test('makes a backup elsewhere once a target is saved, and again an hour after it failed [INST-26]', async () => {
  const app = await testApp({ env: productionEnv })
  const { lastArgs, runIfDue, runs } = scheduled(app)
  await runIfDue()
  expect([runs(), lastArgs()]).toEqual([1, []])
  const owner = await app.makeAdmin()
  const body = { kind: 'folder' as const, address: '/mnt/backups', user: '' }
  await app.as(owner).backups.save({ version: 0, body })
  await runIfDue()
  expect([runs(), lastArgs()]).toEqual([2, ['--elsewhere']])
  const failed = {
    at: app.deps.clock.now().toISOString(),
    location: '/mnt/backups',
    reason: 'The disk is full.',
  }
  await app.deps.write(tx => writeFact(tx, failedKey, JSON.stringify(failed)))
  await runIfDue()
  expect(runs()).toBe(2)
  app.advance(hourMs)
  await runIfDue()
  expect([runs(), lastArgs()]).toEqual([3, ['--elsewhere']])
})

test('the backup on this machine does not wait for one elsewhere that does not end, and both are stopped [INST-27]', async () => {
  const app = await testApp({ env: productionEnv })
  const owner = await app.makeAdmin()
  await app
    .as(owner)
    .backups.save({ version: 0, body: { kind: 'folder', address: '/mnt/backups', user: '' } })
  const runs: string[] = []
  const run = (args: string[]): BackupRun => {
    runs.push(args.join())
    if (args.length === 0) recordBackup(app.deps.config.databaseFile, app.deps.clock.now(), 0)
    const hanging = Promise.withResolvers<{ ok: boolean; lastLine: string }>()
    const end = () => hanging.resolve({ ok: true, lastLine: '' })
    if (args.length === 0) end()
    return { stop: end, result: hanging.promise }
  }
  const { runIfDue, stop } = startBackups(app.deps, run)
  void runIfDue()
  await vi.waitFor(() => expect(runs).toEqual(['', '--elsewhere']))
  app.advance(25 * hourMs)
  void runIfDue()
  await vi.waitFor(() => expect(runs).toEqual(['', '--elsewhere', '']))
  await stop()
})
