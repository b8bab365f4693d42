import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { expect, test } from 'vitest'
import { makeLease, scanPdf, signLease, storedLease } from '../../../testing/build-lease.ts'
import { type TestApp, testApp } from '../../../testing/test-app.ts'
import { createDeps } from '../../create-deps.ts'
import { type Config, ConfigError } from '../config.ts'
import { readStoredFile, storeFile, sweepFiles } from './stored-file.ts'

async function signedSite() {
  const app = await testApp()
  const lease = await makeLease(app)
  await signLease(app, lease.tenant, lease.id)
  return { app, ...lease }
}
const open = async (app: TestApp, changes: Partial<Config> = {}) => {
  const { deps, close } = await createDeps({ ...app.deps.config, ...changes }, { log: app.deps.log })
  const swept = await sweepFiles(deps)
  close()
  return swept
}
/** Every file below the folder with its hash. */
const contents = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => [path, createHash('sha256').update(readFileSync(path)).digest('hex')])
    .toSorted()
const tamper = (databaseFile: string, sql: string) => {
  const sqlite = new SqliteDatabase(databaseFile)
  sqlite.exec(sql)
  sqlite.close()
}
/** Removes the ids of database and folder, like in a store from before there were ids. */
const forgetIds = ({ deps: { config } }: TestApp) => {
  tamper(config.databaseFile, "delete from settings where key = 'store_id'")
  rmSync(join(config.uploadsDir, 'store-id'), { force: true })
}
const foreign =
  /^The files in .+ belong to a different database than .+: set DATABASE_FILE and UPLOADS_DIR to /

test('a start with another database fails with one message and moves no file [FIX-18]', async () => {
  const { app } = await signedSite()
  const { uploadsDir } = app.deps.config
  const before = contents(uploadsDir)
  const fresh = join(app.folder, 'fresh.sqlite')
  const starting = open(app, { databaseFile: fresh })
  await expect(starting).rejects.toThrow(foreign)
  await expect(starting).rejects.toBeInstanceOf(ConfigError)
  expect(contents(uploadsDir)).toEqual(before)
  // A restore needs an empty destination.
  expect(existsSync(fresh)).toBe(false)

  const { app: neighbour } = await signedSite()
  await expect(open(app, { databaseFile: neighbour.deps.config.databaseFile })).rejects.toThrow(foreign)
  expect(contents(uploadsDir)).toEqual(before)
  expect(await open(app)).toEqual({ orphaned: 0, missing: 0 })
})

test('a database does not start with an empty folder, unless its id is written there to accept that its files are lost [FIX-18]', async () => {
  const { app } = await signedSite()
  const uploadsDir = join(app.folder, 'elsewhere')
  const refusal = await open(app, { uploadsDir }).catch(String)
  expect(refusal).toMatch(/None of the 1 files recorded in .+ exists in .+elsewhere: set DATABASE_FILE and/)
  expect(await open(app)).toEqual({ orphaned: 0, missing: 0 })
  const id = /write (\S+) into (\S+)\.$/.exec(String(refusal))
  writeFileSync(id?.[2] ?? '', `${id?.[1]}\n`)
  expect(await open(app, { uploadsDir })).toEqual({ orphaned: 0, missing: 1 })
})

test('an installation without an id starts and gets one [FIX-18]', async () => {
  const { app } = await signedSite()
  const { config } = app.deps
  forgetIds(app)
  tamper(config.databaseFile, 'pragma user_version = 0')
  // Left by a process that was killed during an upload.
  writeFileSync(join(config.uploadsDir, 'f'.repeat(48)), 'half')
  expect(await open(app)).toEqual({ orphaned: 1, missing: 0 })
  const id = readFileSync(join(config.uploadsDir, 'store-id'), 'utf8').trim()
  const stored = app.deps.db.query.installationFacts.findMany().sync()
  expect(stored).toContainEqual({ key: 'store_id', value: id })
  expect(await open(app)).toEqual({ orphaned: 0, missing: 0 })
})

type Pair = { databaseFile: string; uploadsDir: string; file: string }
const deleteFileRows = 'pragma foreign_keys = off; delete from files'
test.each<[what: string, starts: boolean, change: (pair: Pair) => void]>([
  [
    'its only file already recorded as missing',
    true,
    ({ databaseFile, file }) => {
      tamper(databaseFile, "update files set damaged_at = '2026-03-01'")
      rmSync(file)
    },
  ],
  [
    'its only file in orphans',
    true,
    ({ file, uploadsDir }) => renameSync(file, join(uploadsDir, 'orphans', file.slice(-48))),
  ],
  ['its only file gone', false, ({ file }) => rmSync(file)],
  [
    'an unreferenced file, and no lease that could be signed',
    false,
    ({ databaseFile }) => tamper(databaseFile, `${deleteFileRows}; delete from leases`),
  ],
  [
    'an unreferenced file where a lease can be signed',
    true,
    ({ databaseFile }) => tamper(databaseFile, deleteFileRows),
  ],
  [
    'an unreferenced file where a picture was uploaded, and no lease',
    true,
    ({ databaseFile }) =>
      tamper(
        databaseFile,
        `${deleteFileRows}; delete from leases;
        insert into pictures (id, name, width, height, sha256, state, created_at, created_by, removed_at)
          select 'p', 'a.jpg', 900, 600, 'a', 'ready', '2026-03-01', id, '2026-03-02' from users limit 1`,
      ),
  ],
  [
    'many unreferenced files',
    false,
    ({ databaseFile, uploadsDir }) => {
      tamper(databaseFile, deleteFileRows)
      for (const digit of '012345') writeFileSync(join(uploadsDir, digit.repeat(48)), 'another lease')
    },
  ],
])('without store ids, starting with %s succeeds: %s [FIX-18]', async (_what, starts, change) => {
  const { app, id } = await signedSite()
  const { databaseFile, uploadsDir } = app.deps.config
  const file = join(uploadsDir, storedLease(app, id).file?.storageName ?? '')
  forgetIds(app)
  change({ databaseFile, uploadsDir, file })
  const before = contents(uploadsDir)
  if (starts) await open(app)
  else await expect(open(app)).rejects.toThrow(/set DATABASE_FILE and UPLOADS_DIR to/)
  expect(existsSync(join(uploadsDir, 'store-id'))).toBe(starts)
  if (!starts) expect(contents(uploadsDir)).toEqual(before)
})

test('an older copy of the database can take over the folder with its files, and the former database no longer starts [FIX-18]', async () => {
  const { app } = await signedSite()
  const { config } = app.deps
  const copy = join(app.folder, 'copy.sqlite')
  tamper(config.databaseFile, `vacuum into '${copy}'`)
  tamper(copy, "delete from settings where key = 'store_id'")
  expect(await open(app, { databaseFile: copy })).toEqual({ orphaned: 0, missing: 0 })
  await expect(open(app)).rejects.toThrow(foreign)
  expect(await open(app, { databaseFile: copy })).toEqual({ orphaned: 0, missing: 0 })
})

test('a missing file is moved back from orphans by its name and hash, at startup and when it is read [FIX-18]', async () => {
  const { app, id } = await signedSite()
  const { file } = storedLease(app, id)
  if (!file) throw new Error('no file')
  const { uploadsDir } = app.deps.config
  const [stored, orphan] = [join(uploadsDir, file.storageName), join(uploadsDir, 'orphans', file.storageName)]
  const whole = readFileSync(stored)
  renameSync(stored, orphan)
  expect((await readStoredFile(app.deps, file)).equals(whole)).toBe(true)
  expect(existsSync(orphan)).toBe(false)

  rmSync(stored)
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 0, missing: 1 })
  writeFileSync(orphan, 'somebody else’s file')
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 0, missing: 1 })
  await expect(readStoredFile(app.deps, file)).rejects.toThrow('damaged or missing')
  expect(storedLease(app, id).file?.damagedAt).not.toBeNull()
  writeFileSync(orphan, whole)
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 0, missing: 0 })
  expect(storedLease(app, id).file?.damagedAt).toBeNull()
  expect(readFileSync(stored).equals(whole)).toBe(true)
})

test('a sweep does not move files that are being stored [FIX-18]', async () => {
  const app = await testApp()
  const { uploadsDir } = app.deps.config
  const names = () => readdirSync(uploadsDir).filter(name => name.length === 48)
  let goOn = () => {}
  const held = new Promise<void>(resolve => {
    goOn = resolve
  })
  // The file is on disk, and its row waits to be written.
  const slow = {
    ...app.deps,
    write: (work: never) => held.then(() => app.deps.write(work)),
  } as typeof app.deps
  const file = { content: scanPdf(), originalName: 'scan.pdf', contentType: 'application/pdf' }
  const storing = storeFile(slow, 'upload', file, (_tx, stored) => stored.storageName)
  await expect.poll(names).toHaveLength(1)
  const swept = [await sweepFiles(app.deps)]
  // Many more files, at every stage of being stored.
  const many = Promise.all(
    Array.from({ length: 30 }, () =>
      storeFile(app.deps, 'upload', file, (_tx, stored) => stored.storageName),
    ),
  )
  const before = names().length
  while (names().length < 31) swept.push(await sweepFiles(app.deps))
  expect(before).toBeLessThan(31)
  expect(swept).toEqual(swept.map(() => ({ orphaned: 0, missing: 0 })))
  goOn()
  expect(names()).toEqual(expect.arrayContaining([await storing, ...(await many)]))
})

test('a sweep ignores files younger than the minimum age [FIX-18]', async () => {
  const app = await testApp()
  const { uploadsDir } = app.deps.config
  writeFileSync(join(uploadsDir, 'f'.repeat(48)), 'of another process')
  expect(await sweepFiles(app.deps, 60_000)).toEqual({ orphaned: 0, missing: 0 })
  expect(await sweepFiles(app.deps)).toEqual({ orphaned: 1, missing: 0 })
})

test('orphaned files are on the notice board until they are removed [FIX-18]', async () => {
  const app = await testApp()
  const owner = await app.makeAdmin()
  const board = async () => (await app.as(owner).notices.list()).notices.filter(({ id }) => id === 'orphans')
  expect(await board()).toEqual([])
  const orphans = join(app.deps.config.uploadsDir, 'orphans')
  mkdirSync(orphans, { recursive: true })
  for (const name of ['a', 'b']) writeFileSync(join(app.deps.config.uploadsDir, name), name)
  await sweepFiles(app.deps)
  expect(await board()).toMatchObject([
    {
      tone: 'warning',
      title: '2 files without a record were set aside',
      detail: expect.stringContaining(orphans),
    },
  ])
  rmSync(join(orphans, 'a'))
  rmSync(join(orphans, 'b'))
  expect(await board()).toEqual([])
})
