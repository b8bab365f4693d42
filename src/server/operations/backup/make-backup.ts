import { mkdirSync } from 'node:fs'
import { link, mkdtemp, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { compareSchema, copyDatabase, openExisting } from '../../../../db/open.ts'
import packageJson from '../../../../package.json' with { type: 'json' }
import { hourMs } from '../../../domain/common/durations.ts'
import { readIdOf, storeIdMismatch } from '../../kernel/files/store-id.ts'
import { isOwnFolder, orphansFolder } from '../../kernel/upload-folder.ts'
import { errorCode, exists, isDiskFull, syncFolder } from '../../lib/disk.ts'
import { failpoint } from '../../lib/failpoint.ts'
import {
  type ArchiveWriter,
  type Content,
  createArchive,
  databaseEntry,
  fileEntry,
  type Manifest,
  orphanEntry,
} from './archive.ts'

/** Where an installation keeps its data. */
export type Store = { databaseFile: string; uploadsDir: string }
export type Progress = (line: string) => void
export type Backup = {
  file: string
  sizeBytes: number
  files: number
  /** The number of orphaned files, which are also saved. */
  orphans: number
  damaged: Manifest['damaged']
}
export type FileRow = { storageName: string; sha256: string; sizeBytes: number }

const workPrefix = '.condo-backup-'
const leftoverAfterMs = 6 * hourMs

/**
 * Writes a backup of a store, in use or not, to `file`: first a snapshot of the database, then the write-once files
 * that it names (each was on disk before its row). The archive gets its name only when all of it is on disk. The result
 * lists files that are damaged or missing in the store; the rest is saved anyway. Meant for a separate process.
 * @throws Error when `file` exists or is in the uploads folder, there is no database, the folder belongs to another
 * database, or the disk is full
 */
export async function makeBackup(store: Store, file: string, at: Date, progress: Progress): Promise<Backup> {
  const folder = dirname(file)
  // The store would set it aside as a stray file, and the next backup would contain it.
  if (isOwnFolder(store.uploadsDir, folder))
    throw new Error(`${file} is in the folder of stored files. Nothing was written.`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (await exists(file)) throw new Error(`${file} already exists. Nothing was written.`)
  if (!(await exists(store.databaseFile))) throw new Error(`There is no database at ${store.databaseFile}.`)
  await removeLeftovers(folder, at)

  const work = await mkdtemp(join(folder, workPrefix))
  try {
    const snapshot = join(work, databaseEntry)
    const rows = takeSnapshot(store, snapshot)
    progress(`Snapshot of the database: ${megabytes((await stat(snapshot)).size)}`)
    failpoint('backup-snapshot')
    const archive = createArchive(join(work, 'archive'))
    const entries = [await archive.add(databaseEntry, snapshot)]
    await rm(snapshot)
    const { contents, damaged } = await addFiles(archive, store.uploadsDir, rows, progress)
    const orphans = await addOrphans(archive, store.uploadsDir, rows)
    if (orphans.length > 0) progress(`Files that had been set aside: ${orphans.length}`)
    entries.push(...contents, ...orphans)
    const createdAt = at.toISOString()
    await archive.finish({ format: 1, createdAt, program: packageJson.version, entries, damaged })
    failpoint('backup-packed')
    await publish(join(work, 'archive'), file)
    const { size: sizeBytes } = await stat(file)
    return { file, sizeBytes, files: contents.length, orphans: orphans.length, damaged }
  } catch (error) {
    throw isDiskFull(error) ? new Error(`The disk is full. No backup was written.`, { cause: error }) : error
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Copies the database and returns the files that the copy refers to. @throws Error for a foreign database or folder */
export function takeSnapshot(store: Store, target: string): FileRow[] {
  const { databaseFile } = store
  const live = openExisting(databaseFile, { readonly: true })
  try {
    if (compareSchema(live) === 'foreign')
      throw new Error(`${databaseFile} is not a database of this program.`)
    const fault = storeIdMismatch(store, readIdOf(live))
    if (fault) throw fault
    copyDatabase(live, target)
  } finally {
    live.close()
  }
  const snapshot = openExisting(target, { readonly: true })
  try {
    // Plain SQL, as an older version may have other columns.
    return snapshot
      .prepare(
        'select storage_name as storageName, sha256, size_bytes as sizeBytes from files order by created_at',
      )
      .all() as FileRow[]
  } finally {
    snapshot.close()
  }
}

async function addFiles(archive: ArchiveWriter, uploadsDir: string, rows: FileRow[], progress: Progress) {
  const contents: Content[] = []
  const damaged: Manifest['damaged'] = []
  for (const [index, { storageName, sha256 }] of rows.entries()) {
    const path = await pathOf(uploadsDir, storageName)
    if (path !== undefined) {
      const added = await archive.add(fileEntry(storageName), path)
      contents.push(added)
      if (added.sha256 !== sha256) damaged.push({ name: storageName, problem: 'damaged' })
    } else damaged.push({ name: storageName, problem: 'missing' })
    reportTenths(progress, index + 1, rows.length)
  }
  return { contents, damaged }
}

/** Also looks in the folder of orphans, from where the site moves a file back. */
async function pathOf(uploadsDir: string, storageName: string): Promise<string | undefined> {
  for (const path of [join(uploadsDir, storageName), join(uploadsDir, orphansFolder, storageName)])
    if (await exists(path)) return path
  return undefined
}

async function addOrphans(archive: ArchiveWriter, uploadsDir: string, rows: FileRow[]): Promise<Content[]> {
  const folder = join(uploadsDir, orphansFolder)
  if (!(await exists(folder))) return []
  const known = new Set(rows.map(row => row.storageName))
  const contents: Content[] = []
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && !known.has(entry.name))
      contents.push(await archive.add(orphanEntry(entry.name), join(folder, entry.name)))
  return contents
}

/** Gives the finished archive its name, and never overwrites another file. */
async function publish(from: string, file: string): Promise<void> {
  await link(from, file).catch(async error => {
    if (errorCode(error) === 'EEXIST') throw new Error(`${file} already exists. Nothing was written.`)
    // Some network and USB file systems do not support hard links.
    await rename(from, file)
  })
  await syncFolder(dirname(file))
}

/** Removes the work folders of killed backups. */
async function removeLeftovers(folder: string, at: Date): Promise<void> {
  const names = (await readdir(folder)).filter(name => name.startsWith(workPrefix))
  for (const name of names) {
    const { mtimeMs } = await stat(join(folder, name))
    if (at.getTime() - mtimeMs > leftoverAfterMs)
      await rm(join(folder, name), { recursive: true, force: true })
  }
}

const scheduledName = /^condo-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/

/** The name of a backup in the backup folder. Names sort by time. */
export const backupName = (at: Date) => `condo-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`

/**
 * Deletes all but the newest `keep` backups with a `backupName`, after the one of `at` was made, and those that do not fit
 * in `room` bytes, a fifth of the disk, but never the newest two (INST-31). Other files stay. Those with later dates are
 * from a time when the clock was ahead: they are counted apart, or they would displace all others.
 */
export async function pruneBackups(
  folder: string,
  keep: number,
  at: Date,
  room?: number,
): Promise<{ deleted: number; ahead: number }> {
  const { blocks, bsize } = await statfs(folder)
  const names = (await readdir(folder)).filter(name => scheduledName.test(name)).sort()
  const ahead = names.filter(name => name > backupName(at))
  const current = names.slice(0, names.length - ahead.length)
  const old: string[] = []
  for (const some of [current, ahead]) {
    let bytes = 0
    for (const [index, name] of some.toReversed().entries()) {
      bytes += (await stat(join(folder, name))).size
      const fits = index < 2 || bytes <= (room ?? (blocks * bsize) / 5)
      if (index >= keep || !fits) old.push(name)
    }
  }
  for (const name of old) await rm(join(folder, basename(name)))
  return { deleted: old.length, ahead: Math.min(ahead.length, keep) }
}

/** Reports the number of files done, about ten times in total. */
export function reportTenths(progress: Progress, done: number, total: number): void {
  if (done % Math.ceil(total / 10) === 0 || done === total) progress(`Files: ${done} of ${total}`)
}

export const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`
