import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isNull } from 'drizzle-orm'
import type { Db, Sqlite } from '../../../../db/open.ts'
import { files, leases, pictures } from '../../../../db/schema.ts'
import { writeDurably } from '../../lib/disk.ts'
import { type Config, ConfigError } from '../config.ts'
import type { Deps } from '../deps.ts'
import { addFact, readFact } from '../installation-facts.ts'
import { idFileName, isStoredFile, orphansFolder, temporaryIdFileName } from '../upload-folder.ts'

type Store = Pick<Config, 'databaseFile' | 'uploadsDir'>

/** The key of the store's id in the database's settings. */
const storeIdKey = 'store_id'
const idShape = /^[\w-]{1,100}$/
/** A killed process leaves at most as many files without a row as it stored simultaneously. */
const maxInterrupted = 5

/** The id in a database's settings; undefined if the database is from before there were ids. */
export function readIdOf(sqlite: Sqlite): string | undefined {
  return sqlite.prepare('select value from settings where key = ?').pluck().get(storeIdKey) as
    | string
    | undefined
}

/** The id of the database that the folder belongs to; undefined if it belongs to none yet. */
export function readFolderId(uploadsDir: string): string | undefined {
  const path = join(uploadsDir, idFileName)
  if (!existsSync(path)) return undefined
  const id = readFileSync(path, 'utf8').trim()
  if (!idShape.test(id)) throw new ConfigError(`${path} is damaged: restore it from a backup.`)
  return id
}

/** Writes the id of its database into the folder, durably and atomically. */
export async function writeFolderId(uploadsDir: string, id: string): Promise<void> {
  const path = join(uploadsDir, idFileName)
  const temporary = join(uploadsDir, temporaryIdFileName)
  await writeDurably(temporary, `${id}\n`, 'w')
  await rename(temporary, path)
}

export async function removeFolderId(uploadsDir: string): Promise<void> {
  await rm(join(uploadsDir, idFileName), { force: true })
}

/**
 * The error if this database and this folder have different ids, else undefined. `databaseId` is the id in the
 * database's settings.
 */
export function storeIdMismatch(store: Store, databaseId: string | undefined): ConfigError | undefined {
  const folderId = readFolderId(store.uploadsDir)
  const differs = folderId !== undefined && databaseId !== undefined && folderId !== databaseId
  return differs ? foreignFolder(store) : undefined
}

/** Keeps a mistyped path from creating a new database for the files of another one. @throws ConfigError */
export function assertUploadsMatch(store: Store): void {
  const { databaseFile, uploadsDir } = store
  if (databaseFile === ':memory:' || existsSync(databaseFile)) return
  if (readFolderId(uploadsDir) !== undefined || storedNames(uploadsDir).length > 0) throw foreignFolder(store)
}

/**
 * Makes sure that the database and the uploads folder have the same id. If one has none, as at the first start or in a
 * store from an earlier version, it gets one if the content fits: the folder has files of the database.
 * @throws ConfigError when they do not belong together; changes nothing then
 */
export async function syncStoreIds({ config, db, write }: Deps): Promise<void> {
  const { uploadsDir } = config
  const folderId = readFolderId(uploadsDir)
  const databaseId = readDatabaseId(db)
  const fault = storeIdMismatch(config, databaseId)
  if (fault) throw fault
  if (folderId !== undefined && databaseId !== undefined) return

  const newId = randomUUID()
  const expected = db.select({ name: files.storageName }).from(files).where(isNull(files.damagedAt)).all()
  const stored = storedNames(uploadsDir)
  const orphaned = readdirSync(join(uploadsDir, orphansFolder))
  const present = new Set([...stored, ...orphaned])
  const hasRecordedFiles = expected.some(({ name }) => present.has(name))
  if (folderId !== undefined) {
    if (!hasRecordedFiles) throw foreignFolder(config)
    // A new id, so that a database with the old id cannot be used with this folder again.
    await writeFolderId(uploadsDir, newId)
    await writeDatabaseId(write, newId)
    return
  }
  const id = databaseId ?? (await writeDatabaseId(write, newId))
  if (expected.length > 0 && !hasRecordedFiles) throw filesGone(config, id, expected.length)
  const mayBeInterrupted = stored.length <= maxInterrupted && hasUploads(db)
  if (expected.length === 0 && stored.length > 0 && !mayBeInterrupted) throw foreignFolder(config)
  await writeFolderId(uploadsDir, id)
}

const readDatabaseId = (db: Db) => readFact(db, storeIdKey)

/** Returns the id that the database has now, as another process may have written one first. */
function writeDatabaseId(write: Deps['write'], id: string): Promise<string> {
  return write(tx => {
    addFact(tx, storeIdKey, id)
    return readDatabaseId(tx) ?? id
  })
}

/** Documents in the folder, without orphans. */
function storedNames(uploadsDir: string): string[] {
  if (!existsSync(uploadsDir)) return []
  return readdirSync(uploadsDir, { withFileTypes: true })
    .filter(isStoredFile)
    .map(entry => entry.name)
}

/** Whether there may have been uploads: a lease can be signed at any time, and a picture was uploaded. */
function hasUploads(db: Db): boolean {
  return [leases, pictures].some(
    table => db.select({ id: table.id }).from(table).limit(1).get() !== undefined,
  )
}

const foreignFolder = ({ databaseFile, uploadsDir }: Store) =>
  new ConfigError(
    `The files in ${uploadsDir} belong to a different database than ${databaseFile}: set DATABASE_FILE and UPLOADS_DIR to a matching pair, or UPLOADS_DIR to a new folder for a new site.`,
  )

const filesGone = ({ databaseFile, uploadsDir }: Store, id: string, number: number) =>
  new ConfigError(
    `None of the ${number} files recorded in ${databaseFile} exists in ${uploadsDir}: set DATABASE_FILE and UPLOADS_DIR to a matching pair, or restore a backup to a new location. If the files are lost for good, write ${id} into ${join(uploadsDir, idFileName)}.`,
  )
