import { randomBytes, randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { files } from '../../../db/schema.ts'
import { AppError } from '../../domain/errors.ts'
import { errorCode, exists, isDiskFull, syncFolder, unlessMissing, writeDurably } from '../lib/disk.ts'
import { failpoint } from '../lib/failpoint.ts'
import { sha256 } from '../lib/sha256.ts'
import { type SizeLimit, type StreamedFile, writeStream } from '../lib/streamed-file.ts'
import { isDocument, orphansFolder } from './own-files.ts'

/** A file that is safely on disk; its row is written next, by the caller. */
export type StoredFile = typeof files.$inferInsert
type FileRow = Pick<typeof files.$inferSelect, 'storageName' | 'sha256'>

type FileMeta = { originalName: string; contentType: string; createdAt: string }

/** A file that came in and is not kept yet. */
export type IncomingFile = StreamedFile & {
  path: string
  /** As `saveAndRecord`. */
  keepAndRecord: <T>(meta: FileMeta, record: (file: StoredFile) => Promise<T>) => Promise<T>
}

export type FileStore = {
  /**
   * Temporary name -> write -> fsync -> rename -> fsync of the folder; the row comes after that. Bytes are hashed on
   * the way.
   */
  save: (content: Uint8Array, meta: FileMeta) => Promise<StoredFile>
  /** The same; no sweep touches the file before `record`, which writes its row, has settled. */
  saveAndRecord: <T>(
    content: Uint8Array,
    meta: FileMeta,
    record: (file: StoredFile) => Promise<T>,
  ) => Promise<T>
  /**
   * Writes what comes in to disk under a temporary name, for `work` to look at and to keep. What it does not keep is gone
   * when it has settled; no sweep touches the file before.
   * @throws what `limit.tooLarge` makes; what `source` and `work` throw
   */
  receive: <T>(
    source: AsyncIterable<Uint8Array>,
    limit: SizeLimit,
    work: (file: IncomingFile) => Promise<T>,
  ) => Promise<T>
  /** The path of the file. */
  pathOf: (file: Pick<StoredFile, 'storageName'>) => string
  /**
   * A file that is missing is taken back from `orphans/` if it is there as it was stored.
   * @throws AppError internal FileDamaged when the bytes are not those that were stored, or are gone
   */
  read: (file: FileRow) => Promise<Buffer>
  /** Takes back a file whose row could not be written. */
  discard: (file: Pick<StoredFile, 'storageName'>) => Promise<void>
  /**
   * Moves what has no row, and is at least `minAgeMs` old, into `orphans/`; takes back from there what has one; names
   * the rows whose file is nowhere. `readRows` is called once, after the folder was listed.
   */
  sweep: (
    readRows: () => readonly FileRow[],
    minAgeMs?: number,
  ) => Promise<{ setAside: string[]; takenBack: string[]; missing: string[] }>
  /** The folder of what was set aside, and how many files it holds. */
  orphans: () => { folder: string; count: number }
}

export class FileDamaged extends AppError {
  constructor(cause?: unknown) {
    super('internal', 'This file is damaged or missing. The owner has been told.', { cause })
  }
}

const diskFull = (cause: unknown) =>
  new AppError('unavailable', 'Nothing can be stored at the moment. Please try again later.', { cause })

/** The only code that touches the documents in the uploads folder: files 0600 with random names in folders 0700. */
export async function createFileStore(folder: string): Promise<FileStore> {
  const folders = { folder, incoming: join(folder, 'incoming'), orphans: join(folder, orphansFolder) }
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 })

  /** Names of files that are being written, or whose rows are. */
  const busy = new Set<string>()

  async function receive<T>(
    source: AsyncIterable<Uint8Array>,
    limit: SizeLimit,
    work: (file: IncomingFile) => Promise<T>,
  ): Promise<T> {
    const storageName = randomBytes(24).toString('hex')
    const path = join(folders.incoming, storageName)
    busy.add(storageName)
    try {
      const file = await writeStream(path, source, limit).catch(error => {
        throw isDiskFull(error) ? diskFull(error) : error
      })
      return await work({
        ...file,
        path,
        async keepAndRecord(meta, record) {
          await moveIn(folders, storageName)
          return record({ id: randomUUID(), storageName, ...file, ...meta })
        },
      })
    } finally {
      await rm(path, { force: true })
      busy.delete(storageName)
    }
  }

  async function saveAndRecord<T>(
    content: Uint8Array,
    meta: FileMeta,
    record: (file: StoredFile) => Promise<T>,
  ): Promise<T> {
    const storageName = randomBytes(24).toString('hex')
    busy.add(storageName)
    try {
      await write(folders, storageName, content)
      const file = { id: randomUUID(), storageName, sha256: sha256(content), sizeBytes: content.byteLength }
      return await record({ ...file, ...meta })
    } finally {
      busy.delete(storageName)
    }
  }

  return {
    save: (content, meta) => saveAndRecord(content, meta, async file => file),
    saveAndRecord,
    receive,
    pathOf: ({ storageName }) => join(folder, storageName),
    read: file => read(folders, file),
    discard: ({ storageName }) => rm(join(folder, storageName), { force: true }),
    sweep: (readRows, minAgeMs = 0) => sweep(folders, busy, readRows, minAgeMs),
    orphans: () => ({ folder: folders.orphans, count: readdirSync(folders.orphans).length }),
  }
}

type Folders = Record<'folder' | 'incoming' | 'orphans', string>

async function write(folders: Folders, storageName: string, content: Uint8Array): Promise<void> {
  const temporary = join(folders.incoming, storageName)
  try {
    await writeDurably(temporary, content, 'wx')
    await moveIn(folders, storageName)
  } catch (error) {
    await rm(temporary, { force: true })
    throw isDiskFull(error) ? diskFull(error) : error
  }
}

/** From its temporary name to its place. */
async function moveIn({ folder, incoming }: Folders, storageName: string): Promise<void> {
  failpoint('file-written')
  await rename(join(incoming, storageName), join(folder, storageName))
  failpoint('file-renamed')
  await syncFolder(folder)
}

async function read(folders: Folders, file: FileRow): Promise<Buffer> {
  const path = join(folders.folder, file.storageName)
  const bytes = await readFile(path).catch(async error => {
    // Too many open files or a failing disk say nothing about the file.
    if (errorCode(error) !== 'ENOENT') throw error
    if ((await takeBack(folders, file)) === 'missing') throw new FileDamaged(error)
    return readFile(path)
  })
  if (sha256(bytes) !== file.sha256) throw new FileDamaged()
  return bytes
}

/** Whether the file is in its place now: it stayed there, or came back. */
async function takeBack(
  { folder, orphans }: Folders,
  { storageName, ...row }: FileRow,
): Promise<'there' | 'taken back' | 'missing'> {
  const [path, orphan] = [join(folder, storageName), join(orphans, storageName)]
  if (await exists(path)) return 'there'
  const bytes = await readFile(orphan).catch(unlessMissing(undefined))
  if (bytes === undefined || sha256(bytes) !== row.sha256) return 'missing'
  await rename(orphan, path).catch(unlessMissing(undefined))
  await syncFolder(folder)
  return 'taken back'
}

async function sweep(
  folders: Folders,
  busy: ReadonlySet<string>,
  readRows: () => readonly FileRow[],
  minAgeMs: number,
) {
  const { folder, incoming, orphans } = folders
  const begun = await readdir(incoming)
  const stored = (await readdir(folder, { withFileTypes: true })).filter(isDocument).map(entry => entry.name)
  // At one moment: what is being stored is busy until its row is there to be read.
  const rows = readRows()
  const known = new Set(rows.map(row => row.storageName))
  const strays = stored.filter(name => !known.has(name) && !busy.has(name))
  const halves = begun.filter(name => !busy.has(name))

  const moved: string[] = []
  for (const name of strays) if (await setAside(orphans, folder, name, minAgeMs)) moved.push(name)
  for (const name of halves) await setAside(orphans, incoming, name, minAgeMs)
  const present = new Set(stored)
  const absent = rows.filter(row => !present.has(row.storageName))
  const found = { there: [], 'taken back': [], missing: [] } as Record<string, string[]>
  for (const row of absent) found[await takeBack(folders, row)]?.push(row.storageName)
  return { setAside: moved, takenBack: found['taken back'] ?? [], missing: found.missing ?? [] }
}

async function setAside(orphans: string, from: string, name: string, minAgeMs: number): Promise<boolean> {
  const { mtimeMs } = await stat(join(from, name))
  if (minAgeMs > 0 && Date.now() - mtimeMs < minAgeMs) return false
  const isTaken = await exists(join(orphans, name))
  await rename(join(from, name), join(orphans, isTaken ? `${name}.${randomUUID()}` : name))
  return true
}
