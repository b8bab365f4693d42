import { createWriteStream, type Dirent, mkdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { compareSchema, openDatabase, openExisting } from '../../../../db/open.ts'
import { readFolderId, readIdOf, removeFolderId, writeFolderId } from '../../kernel/files/store-id.ts'
import { isStoredFile, orphansFolder } from '../../kernel/upload-folder.ts'
import { exists, isDiskFull, syncFolder } from '../../lib/disk.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { BackupDamagedError, databaseEntry, isOrphanEntry, type Manifest, readArchive } from './archive.ts'
import type { Progress, Store } from './make-backup.ts'
import { markRestored } from './restored.ts'

const stagingName = 'restoring'
/** What an interrupted restore leaves in the folder. */
const ownName = /^([0-9a-f]{48}|orphans|restoring|\.?store-id|\.gitkeep)$/
const emptyOnly = 'A backup is restored into an empty place only; nothing was changed.'

/**
 * Restores a backup into an empty destination. First unpacks everything into a staging folder and checks every hash and
 * the database. Moves the database last, so a site never starts on half a restore. A killed restore can be run again.
 * @throws BackupDamagedError; Error when the destination is not empty, the backup is from a newer version of the
 * program, or the disk is full
 */
export async function restoreBackup(store: Store, file: string, progress: Progress): Promise<Manifest> {
  if (!(await exists(file))) throw new Error(`There is no file ${file}.`)
  return restoreFrom(store, file, sink => readArchive(file, sink), progress)
}

/** What a backup is read by: gives each entry to its stream, and checks every hash. @throws BackupDamagedError */
export type BackupReader = (sink: (name: string) => Writable) => Promise<Manifest>

/** Like `restoreBackup`, from any backup; `source` names it in messages. */
export async function restoreFrom(
  store: Store,
  source: string,
  read: BackupReader,
  progress: Progress,
): Promise<Manifest> {
  const { databaseFile, uploadsDir } = store
  const staging = join(uploadsDir, stagingName)
  const stagedDatabase = `${databaseFile}.restoring`
  const isInterrupted = await requireEmpty(store)

  for (const folder of [dirname(databaseFile), uploadsDir])
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The folder stays until the end: it tells the next run that files already moved are from this restore.
  const clear = async () => {
    if (!isInterrupted) return rm(staging, { recursive: true, force: true })
    for (const name of await readdir(staging)) await rm(join(staging, name), { recursive: true })
  }
  await clear()
  await rm(stagedDatabase, { force: true })
  await mkdir(join(staging, orphansFolder), { recursive: true, mode: 0o700 })
  const pathOf = (name: string) => {
    if (name === databaseEntry) return stagedDatabase
    return join(staging, isOrphanEntry(name) ? orphansFolder : '', basename(name))
  }
  let isMoving = false
  try {
    progress('Unpacking and checking every hash …')
    const manifest = await read(name =>
      createWriteStream(pathOf(name), { flags: 'wx', mode: 0o600, flush: true }),
    )
    const storeId = checkDatabase(stagedDatabase, manifest)
    // Of an interrupted restore of another backup.
    if (![undefined, storeId].includes(readFolderId(uploadsDir)))
      throw new Error(`${uploadsDir} belongs to another database. ${emptyOnly}`)
    // Before it is marked: a migration may clear waiting mails, such as those with tokens in clear.
    openDatabase(stagedDatabase, { hasSnapshot: true }).close()
    markRestored(stagedDatabase, manifest.createdAt, new Date())
    failpoint('restore-checked')
    isMoving = true
    await moveOrphans(join(staging, orphansFolder), join(uploadsDir, orphansFolder))
    for (const name of await readdir(staging)) await rename(join(staging, name), join(uploadsDir, name))
    await (storeId === undefined ? removeFolderId(uploadsDir) : writeFolderId(uploadsDir, storeId))
    await syncFolder(uploadsDir)
    failpoint('restore-moved')
    await rename(stagedDatabase, databaseFile)
    await syncFolder(dirname(databaseFile))
    await rm(staging, { recursive: true, force: true })
    return manifest
  } catch (error) {
    await rm(stagedDatabase, { force: true })
    if (!isMoving) await clear()
    if (error instanceof BackupDamagedError)
      throw new BackupDamagedError(`${source} cannot be restored: ${error.message}`, { cause: error })
    throw isDiskFull(error) ? new Error('The disk is full. Nothing was restored.', { cause: error }) : error
  }
}

/**
 * After an interrupted restore, files may already be in the uploads folder: they are written again, identically.
 * Returns whether there was one. @throws Error when the destination of a restore is in use
 */
export async function requireEmpty({ databaseFile, uploadsDir }: Store): Promise<boolean> {
  for (const path of ['', '-wal', '-shm'].map(ending => databaseFile + ending)) {
    if (await exists(path)) throw new Error(`${path} exists. ${emptyOnly}`)
  }
  if (!(await exists(uploadsDir))) return false
  const entries = await readdir(uploadsDir, { withFileTypes: true })
  const isInterrupted = entries.some(entry => entry.name === stagingName && entry.isDirectory())
  const names = isInterrupted ? await readdir(join(uploadsDir, stagingName)) : []
  const isOther = (entry: Dirent) => isStoredFile(entry) && !(isInterrupted && ownName.test(entry.name))
  if (entries.some(isOther) || names.some(name => !ownName.test(name)))
    throw new Error(`${uploadsDir} is not empty. ${emptyOnly}`)
  if (!isInterrupted && readFolderId(uploadsDir) !== undefined)
    throw new Error(`${uploadsDir} belongs to another database. ${emptyOnly}`)
  return isInterrupted
}

/** Keeps existing files with the same name. */
async function moveOrphans(from: string, to: string): Promise<void> {
  const names = await readdir(from)
  if (names.length > 0) mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names)
    if (!(await exists(join(to, name)))) await rename(join(from, name), join(to, name))
  await rm(from, { recursive: true })
}

/** Returns the store id of the database, if it has one. @throws BackupDamagedError; Error for a newer database */
export function checkDatabase(file: string, manifest: Manifest): string | undefined {
  const sqlite = openExisting(file, { readonly: true })
  try {
    const comparison = compareSchema(sqlite)
    if (comparison === 'foreign') throw new BackupDamagedError('Its database is not one of this program.')
    if (comparison === 'newer')
      throw new Error('This backup was made by a newer version of the program. Install that version first.')
    const integrity = sqlite.pragma('integrity_check', { simple: true })
    if (integrity !== 'ok') throw new BackupDamagedError(`Its database is damaged: ${String(integrity)}`)
    const files = manifest.entries.filter(({ name }) => !isOrphanEntry(name))
    const known = new Set(files.map(({ name }) => basename(name)))
    for (const { name } of manifest.damaged) known.add(name)
    const names = sqlite.prepare('select storage_name from files').pluck().all() as string[]
    const missing = names.filter(name => !known.has(name))
    if (missing.length > 0) throw new BackupDamagedError(`It lacks ${missing.length} of the stored files.`)
    return readIdOf(sqlite)
  } finally {
    sqlite.close()
  }
}
