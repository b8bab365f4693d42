import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../db/open.ts'
import { makeLease, signLease } from '../../../testing/build-lease.ts'
import { preparedSite, testApp } from '../../../testing/test-app.ts'
import { createDeps } from '../../create-deps.ts'
import { readStoredFile } from '../../kernel/files/stored-file.ts'
import { keyFileName, keyPathOf, loadInstallationKey } from '../../lib/installation-key.ts'
import { createArchive, readArchive } from './archive.ts'
import { backupName, makeBackup, pruneBackups, type Store } from './make-backup.ts'
import { restoreBackup } from './restore.ts'
import { verifyStore } from './verify.ts'

const quiet = () => {}
const now = new Date('2026-03-04T17:00:00.000Z')

const prepared = preparedSite(async app => {
  const lease = await makeLease(app)
  await signLease(app, lease.tenant, lease.id)
  return lease
})

/** A site with a signed lease, and an empty destination for a restore. */
async function site() {
  const { app } = await prepared()
  const store: Store = app.deps.config
  const elsewhere: Store = {
    databaseFile: join(app.folder, 'elsewhere/db/portal.sqlite'),
    uploadsDir: join(app.folder, 'elsewhere/uploads'),
  }
  const file = join(app.folder, 'backups/one.tar.gz')
  return { app, store, elsewhere, file, backup: () => makeBackup(store, file, now, quiet) }
}

const storedFiles = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(({ name }) => name)
        .sort()
    : []
const hashes = (folder: string) =>
  storedFiles(folder).map(name => [
    name,
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ])
/** Every row of every table. */
function contents(file: string): Record<string, unknown[]> {
  const { sqlite, close } = openDatabase(file)
  const tables = sqlite
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]
  const all = Object.fromEntries(
    tables.map(name => [name, sqlite.prepare(`select * from "${name}" order by 1`).all()]),
  )
  close()
  return all
}
/** What a restore changes: mails wait for the owner, sessions end, numbers are left out, and it is remembered (INST-42). */
function afterRestore(before: Record<string, unknown[]>): Record<string, unknown[]> {
  const held = before.outbox?.map(row => ({ ...(row as object), status: 'held' })) ?? []
  const restored = { key: 'restored', value: expect.stringContaining(now.toISOString()) }
  const higher = (row: unknown) => ({
    ...(row as object),
    last_value: (row as { last_value: number }).last_value + 100,
  })
  return {
    ...before,
    outbox: held,
    sequences: expect.arrayContaining(before.sequences?.map(higher) ?? []),
    sessions: [],
    settings: expect.arrayContaining([...(before.settings ?? []), restored]),
  }
}
const modeOf = (path: string) => statSync(path).mode & 0o777
const nothingAt = ({ databaseFile, uploadsDir }: Store) => {
  expect(existsSync(databaseFile)).toBe(false)
  expect(storedFiles(uploadsDir)).toEqual([])
}

test('a backup of a running site restores every row and every byte on an empty machine [INST-41]', async () => {
  const { app, store, elsewhere, file, backup } = await site()
  const before = contents(store.databaseFile)
  const lines: string[] = []
  expect(await makeBackup(store, file, now, line => void lines.push(line))).toMatchObject({
    file,
    files: 1,
    damaged: [],
  })
  expect(lines.at(-1)).toBe('Files: 1 of 1')
  // Written after the backup, so not in it.
  await app.makeTenant()
  const manifest = await restoreBackup(elsewhere, file, quiet)
  expect(manifest.createdAt).toBe(now.toISOString())
  expect(contents(elsewhere.databaseFile)).toEqual(afterRestore(before))
  expect(hashes(elsewhere.uploadsDir)).toEqual(hashes(store.uploadsDir))
  await expect(backup()).rejects.toThrow('already exists')

  const { deps, close } = await createDeps({ ...app.deps.config, ...elsewhere }, { log: app.deps.log })
  for (const row of deps.db.query.files.findMany().sync())
    expect((await readStoredFile(deps, row)).byteLength).toBe(row.sizeBytes)
  close()
})

test('other users cannot read a backup or restored data', async () => {
  const { elsewhere, file, backup, app } = await site()
  await backup()
  await restoreBackup(elsewhere, file, quiet)
  const stored = storedFiles(elsewhere.uploadsDir).map(name => join(elsewhere.uploadsDir, name))
  expect([file, elsewhere.databaseFile, ...stored].map(modeOf)).toEqual([0o600, 0o600, 0o600, 0o600])
  expect([join(app.folder, 'backups'), elsewhere.uploadsDir].map(modeOf)).toEqual([0o700, 0o700])
})

test('a backup does not contain the installation key, and a restored site without it starts with a new one', async () => {
  const { store, elsewhere, file, backup } = await site()
  const made = await loadInstallationKey(store.databaseFile)
  const key = readFileSync(keyPathOf(store.databaseFile))
  await backup()
  const archive = gunzipSync(readFileSync(file))
  for (const spelling of [key, ...(['hex', 'base64', 'base64url'] as const).map(as => key.toString(as))])
    expect(archive.includes(spelling)).toBe(false)
  expect(archive.includes(keyFileName)).toBe(false)
  await restoreBackup(elsewhere, file, quiet)
  expect(existsSync(keyPathOf(elsewhere.databaseFile))).toBe(false)
  const next = await loadInstallationKey(elsewhere.databaseFile)
  expect([made, next]).toMatchObject([{ state: 'ready' }, { state: 'ready', isNew: true }])
  expect(readFileSync(keyPathOf(elsewhere.databaseFile)).equals(key)).toBe(false)
})

test('neither a backup nor a restore overwrites anything', async () => {
  const { store, elsewhere, file, backup } = await site()
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, 'precious')
  await expect(backup()).rejects.toThrow('already exists')
  expect(readFileSync(file, 'utf8')).toBe('precious')
  rmSync(file)
  await backup()

  await expect(restoreBackup(store, file, quiet)).rejects.toThrow(
    'exists. A backup is restored into an empty',
  )
  mkdirSync(elsewhere.uploadsDir, { recursive: true })
  writeFileSync(join(elsewhere.uploadsDir, 'stray'), 'precious')
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow('is not empty')
  expect(existsSync(elsewhere.databaseFile)).toBe(false)
  expect(readFileSync(join(elsewhere.uploadsDir, 'stray'), 'utf8')).toBe('precious')
})

test('a restore that fails while files are moved can be run again, also after another that fails, and beside other folders', async () => {
  const { elsewhere, file, backup } = await site()
  await backup()
  const inTheWay = join(elsewhere.uploadsDir, '.store-id')
  for (const folder of [inTheWay, join(elsewhere.uploadsDir, 'lost+found')])
    mkdirSync(folder, { recursive: true })
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow('EISDIR')
  rmdirSync(inTheWay)
  const wrong = join(elsewhere.uploadsDir, '../wrong.tar.gz')
  writeFileSync(wrong, 'no backup')
  await expect(restoreBackup(elsewhere, wrong, quiet)).rejects.toThrow('cannot be restored')
  await restoreBackup(elsewhere, file, quiet)
  expect((await verifyStore(elsewhere, quiet)).faults).toEqual([])
  expect(existsSync(join(elsewhere.uploadsDir, 'restoring'))).toBe(false)
})

test('a folder named restoring does not make a folder of other files, or of another database, one to restore into', async () => {
  const { elsewhere, file, backup } = await site()
  await backup()
  const precious = join(elsewhere.uploadsDir, 'restoring/precious')
  mkdirSync(join(precious, '..'), { recursive: true })
  writeFileSync(precious, 'x')
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow('is not empty')
  expect(existsSync(precious)).toBe(true)
  rmSync(precious)
  writeFileSync(join(elsewhere.uploadsDir, 'store-id'), 'another\n')
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow('belongs to another database')
  expect(existsSync(elsewhere.databaseFile)).toBe(false)
})

test('no backup is written into the folder of stored files, where the next one would contain it', async () => {
  const { store } = await site()
  for (const name of ['x.tar.gz', 'orphans/x.tar.gz'])
    await expect(makeBackup(store, join(store.uploadsDir, name), now, quiet)).rejects.toThrow(
      'is in the folder',
    )
  // A folder of its own below is left alone.
  const below = join(store.uploadsDir, 'backups/x.tar.gz')
  expect(await makeBackup(store, below, now, quiet)).toMatchObject({ file: below, files: 1, orphans: 0 })
})

test.each([
  ['cut off', (file: string) => truncateSync(file, Math.floor(statSync(file).size * 0.7))],
  ['cut off at an entry', (file: string) => rewrite(file, tar => tar.subarray(0, 512 * 20))],
  ['with a flipped bit in the archive', (file: string) => flip(file, 0.5)],
  [
    'with another byte in a stored file',
    (file: string) => rewrite(file, tar => replaced(tar, '%PDF', '%PDG')),
  ],
  ['with another hash in its manifest', (file: string) => rewrite(file, withAnotherHash)],
  ['followed by rubbish', (file: string) => appendFileSync(file, 'rubbish')],
  ['that is no archive at all', (file: string) => writeFileSync(file, 'hello')],
  ['that is empty', (file: string) => writeFileSync(file, '')],
])('rejects a backup %s, and restores nothing', async (_what, damage) => {
  const { elsewhere, file, backup } = await site()
  await backup()
  damage(file)
  await expect(readArchive(file)).rejects.toThrow()
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow(/cannot be restored/)
  nothingAt(elsewhere)
})

test.each([
  '../../etc/passwd',
  '/etc/passwd',
  'files/../x',
  'database.sqlite-wal',
  'files/short',
  'orphans/..',
  'orphans/../x',
  'orphans/',
])('rejects an archive with an entry %s', async name => {
  const { app, elsewhere } = await site()
  const tar = pack()
  tar.entry({ name }, 'x')
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)
  const file = join(app.folder, 'crafted.tar.gz')
  writeFileSync(file, gzipSync(Buffer.concat(chunks)))
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow('does not belong into a backup')
  nothingAt(elsewhere)
})

test('rejects a complete archive whose database is not a database', async () => {
  const { app, elsewhere } = await site()
  const file = join(app.folder, 'crafted.tar.gz')
  writeFileSync(join(app.folder, 'x'), 'no database')
  const archive = createArchive(file)
  const entry = await archive.add('database.sqlite', join(app.folder, 'x'))
  await archive.finish({ format: 1, createdAt: '', program: '', entries: [entry], damaged: [] })
  await expect(restoreBackup(elsewhere, file, quiet)).rejects.toThrow()
  nothingAt(elsewhere)
})

test('reports damaged and missing files, and saves the rest', async () => {
  const { app, store, elsewhere, backup } = await site()
  const [first = ''] = storedFiles(store.uploadsDir).filter(name => name !== 'store-id')
  flip(join(store.uploadsDir, first), 0.5)
  expect(await backup()).toMatchObject({ files: 1, damaged: [{ name: first, problem: 'damaged' }] })
  rmSync(join(store.uploadsDir, first))
  const again = join(app.folder, 'backups/two.tar.gz')
  expect(await makeBackup(store, again, now, quiet)).toMatchObject({
    files: 0,
    damaged: [{ name: first, problem: 'missing' }],
  })
  const manifest = await restoreBackup(elsewhere, again, quiet)
  expect(manifest.damaged).toEqual([{ name: first, problem: 'missing' }])
  expect(existsSync(elsewhere.databaseFile)).toBe(true)
})

test('a backup contains orphaned files, and a restore brings them back with the store id [FIX-18]', async () => {
  const { app, store, elsewhere, file } = await site()
  const [signed = ''] = storedFiles(store.uploadsDir).filter(name => name !== 'store-id')
  const aside = (name: string, { uploadsDir } = store) => join(uploadsDir, 'orphans', name)
  writeFileSync(aside('a'.repeat(48)), 'half an upload')
  writeFileSync(aside('Maya’s scan (1).pdf'), 'put there by hand')
  // A file that belongs to a row was set aside: the backup finds it in the folder of orphans.
  renameSync(join(store.uploadsDir, signed), aside(signed))
  const lines: string[] = []
  const made = await makeBackup(store, file, now, line => void lines.push(line))
  expect(made).toMatchObject({ files: 1, orphans: 2, damaged: [] })
  expect(lines.at(-1)).toBe('Files that had been set aside: 2')
  await restoreBackup(elsewhere, file, quiet)

  expect(storedFiles(elsewhere.uploadsDir)).toEqual([signed, 'store-id'].sort())
  expect(storedFiles(join(elsewhere.uploadsDir, 'orphans'))).toEqual(['Maya’s scan (1).pdf', 'a'.repeat(48)])
  expect(readFileSync(aside('a'.repeat(48), elsewhere), 'utf8')).toBe('half an upload')
  expect(modeOf(aside('a'.repeat(48), elsewhere))).toBe(0o600)
  expect(modeOf(join(elsewhere.uploadsDir, 'orphans'))).toBe(0o700)
  const idIn = ({ uploadsDir }: Store) => readFileSync(join(uploadsDir, 'store-id'), 'utf8')
  expect(idIn(elsewhere)).toBe(idIn(store))
  expect((await verifyStore(elsewhere, quiet)).faults).toEqual([])
  const { close } = await createDeps({ ...app.deps.config, ...elsewhere }, { log: app.deps.log })
  close()
})

test('backup, check and restore reject the uploads folder of another database [FIX-18]', async () => {
  const { app, store, elsewhere, file, backup } = await site()
  const other = await testApp()
  const mixed = { ...store, uploadsDir: other.deps.config.uploadsDir }
  const foreign =
    /^The files in .+ belong to a different database than .+: set DATABASE_FILE and UPLOADS_DIR to/
  await expect(makeBackup(mixed, file, now, quiet)).rejects.toThrow(foreign)
  expect(existsSync(file)).toBe(false)
  expect((await verifyStore(mixed, quiet)).faults[0]).toMatch(foreign)

  await backup()
  const { close } = await createDeps({ ...app.deps.config, ...elsewhere }, { log: app.deps.log })
  close()
  const taken = { ...elsewhere, databaseFile: join(app.folder, 'third.sqlite') }
  await expect(restoreBackup(taken, file, quiet)).rejects.toThrow('belongs to another database. A backup is')
  expect(existsSync(taken.databaseFile)).toBe(false)
})

test('removes old leftovers of a killed backup, but not the files of a running one', async () => {
  const { app, backup } = await site()
  const folder = join(app.folder, 'backups')
  const [old, young] = ['.condo-backup-old', '.condo-backup-new'].map(name => join(folder, name))
  if (!old || !young) throw new Error('no names')
  for (const path of [old, young]) mkdirSync(path, { recursive: true })
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  utimesSync(old, hoursAgo(7), hoursAgo(7))
  utimesSync(young, hoursAgo(1), hoursAgo(1))
  await backup()
  expect(readdirSync(folder).sort()).toEqual(['.condo-backup-new', 'one.tar.gz'])
})

test('keeps the newest backups, and never deletes files with other names', async () => {
  const app = await testApp()
  const names = [1, 2, 3, 4].map(day => backupName(new Date(`2026-03-0${day}T05:00:00.000Z`)))
  for (const name of [...names, 'condo-mine.tar.gz', 'notes.txt']) writeFileSync(join(app.folder, name), '')
  expect(await pruneBackups(app.folder, 2, now)).toEqual({ deleted: 2, ahead: 0 })
  const left = readdirSync(app.folder).filter(name => name.endsWith('.gz') || name.endsWith('.txt'))
  expect(left.sort()).toEqual([...names.slice(2), 'condo-mine.tar.gz', 'notes.txt'].sort())
  expect(await pruneBackups(app.folder, 2, now)).toEqual({ deleted: 0, ahead: 0 })
})

test('daily backups take no more than their part of the disk, but there are always two [INST-31]', async () => {
  const app = await testApp()
  const names = [1, 2, 3, 4].map(day => backupName(new Date(`2026-03-0${day}T05:00:00.000Z`)))
  for (const name of names) writeFileSync(join(app.folder, name), 'x'.repeat(100))
  const left = () => readdirSync(app.folder).filter(name => name.endsWith('.gz'))
  expect(await pruneBackups(app.folder, 14, now)).toEqual({ deleted: 0, ahead: 0 })
  expect(await pruneBackups(app.folder, 14, now, 350)).toEqual({ deleted: 1, ahead: 0 })
  expect(await pruneBackups(app.folder, 14, now, 10)).toEqual({ deleted: 1, ahead: 0 })
  expect(left()).toEqual(names.slice(2))
})

test('backups from a time when the clock was ahead displace no others, and as many of them are kept', async () => {
  const app = await testApp()
  const name = (day: string) => backupName(new Date(`${day}T17:00:00.000Z`))
  const ahead = ['2027-03-01', '2027-03-02', '2027-03-03'].map(name)
  const current = ['2026-03-02', '2026-03-03', '2026-03-04'].map(name)
  for (const file of [...ahead, ...current]) writeFileSync(join(app.folder, file), '')
  expect(await pruneBackups(app.folder, 2, now)).toEqual({ deleted: 2, ahead: 2 })
  const left = readdirSync(app.folder).filter(file => file.endsWith('.gz'))
  expect(left.sort()).toEqual([...current.slice(1), ...ahead.slice(1)])
})

function flip(file: string, where: number): void {
  const bytes = readFileSync(file)
  const at = Math.floor(bytes.length * where)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
function rewrite(file: string, change: (tar: Buffer) => Buffer): void {
  writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(file)))))
}
/** Replaces the first digit of the first hash. */
function withAnotherHash(tar: Buffer): Buffer {
  const at = tar.indexOf('"sha256":"') + '"sha256":"'.length
  const other = Buffer.from(tar)
  other.write(tar.toString('latin1', at, at + 1) === '0' ? '1' : '0', at, 'latin1')
  return other
}

function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from)
  expect(at).toBeGreaterThan(0)
  const copy = Buffer.from(bytes)
  copy.write(to, at)
  return copy
}
