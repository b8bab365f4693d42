import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { createReadStream, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import type { files } from '../../../db/schema.ts'
import { AppError } from '../../domain/common/errors.ts'
import { errorCode, exists, ifMissing, isDiskFull, syncFolder, writeDurably } from '../lib/disk.ts'
import { failpoint } from '../lib/failpoint.ts'
import { sha256 } from '../lib/sha256.ts'
import { type SizeLimit, type StreamedFile, writeStream } from '../lib/streamed-file.ts'
import { incomingFolder, isStoredFile, orphansFolder } from './upload-folder.ts'

/** A file that is safely on disk; the caller writes its row next. */
export type StoredFile = typeof files.$inferInsert
type FileRow = Pick<typeof files.$inferSelect, 'storageName' | 'sha256'>

type FileMeta = { originalName: string; contentType: string; createdAt: string }

/** A received file that is still under its temporary name. */
export type IncomingFile = StreamedFile & {
  path: string
  /** Keeps the file; `record` writes its row, as in `saveAndRecord`. */
  commitAndRecord: <T>(meta: FileMeta, record: (file: StoredFile) => Promise<T>) => Promise<T>
}

export type FileStore = {
  /**
   * Writes and fsyncs a temporary file, renames it and fsyncs the folder. The caller writes the row after that.
   */
  save: (content: Uint8Array, meta: FileMeta) => Promise<StoredFile>
  /** Saves the file, then calls `record`, which writes its row. No sweep touches the file until `record` settles. */
  saveAndRecord: <T>(
    content: Uint8Array,
    meta: FileMeta,
    record: (file: StoredFile) => Promise<T>,
  ) => Promise<T>
  /**
   * Streams `source` to a temporary file, which `work` can inspect and keep. When `work` settles, a file that it did
   * not keep is deleted. No sweep touches the file until then.
   * @throws the error from `limit.tooLarge`; errors of `source` and `work`
   */
  receive: <T>(
    source: AsyncIterable<Uint8Array>,
    limit: SizeLimit,
    work: (file: IncomingFile) => Promise<T>,
  ) => Promise<T>
  pathOf: (file: Pick<StoredFile, 'storageName'>) => string
  /**
   * Reads and verifies the file. A missing file is restored from `orphans/` if an unchanged copy is there.
   * @throws FileDamagedError when the file was changed or is missing
   */
  read: (file: FileRow) => Promise<Buffer>
  /** Verifies the file without returning its contents. @throws FileDamagedError */
  check: (file: FileRow) => Promise<void>
  /** Streams a file that `check` has verified, so that many downloads at once do not fill the memory. */
  stream: (file: Pick<StoredFile, 'storageName'>) => Readable
  /** Deletes a file whose row could not be written. */
  discard: (file: Pick<StoredFile, 'storageName'>) => Promise<void>
  /**
   * Moves files that have no row and are at least `minAgeMs` old to `orphans/`, restores files from there that have a
   * row, and lists the rows whose file is missing. `readRows` is called once, after the folder was listed.
   */
  sweep: (
    readRows: () => readonly FileRow[],
    minAgeMs?: number,
  ) => Promise<{ orphaned: string[]; takenBack: string[]; missing: string[] }>
  /** The folder of files without a row, and how many it contains. */
  orphans: () => { folder: string; count: number }
}

export class FileDamagedError extends AppError {
  constructor(cause?: unknown) {
    super('internal', 'This file is damaged or missing. The owner has been told.', { cause })
  }
}

const diskFull = (cause: unknown) =>
  new AppError('unavailable', 'Nothing can be stored at the moment. Please try again later.', { cause })

/** The only code that touches documents in the uploads folder: files have random names and mode 0600, folders 0700. */
export async function createFileStore(folder: string): Promise<FileStore> {
  const folders = { folder, incoming: join(folder, incomingFolder), orphans: join(folder, orphansFolder) }
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true, mode: 0o700 })

  /** Names of files that are being written, or whose row is. */
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
        async commitAndRecord(meta, record) {
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
    check: file => check(folders, file),
    stream: ({ storageName }) => createReadStream(join(folder, storageName)),
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

/** Moves a file from its temporary name to its final place. */
async function moveIn({ folder, incoming }: Folders, storageName: string): Promise<void> {
  failpoint('file-written')
  await rename(join(incoming, storageName), join(folder, storageName))
  failpoint('file-renamed')
  await syncFolder(folder)
}

async function read(folders: Folders, file: FileRow): Promise<Buffer> {
  const bytes = await fromPath(folders, file, path => readFile(path))
  if (sha256(bytes) !== file.sha256) throw new FileDamagedError()
  return bytes
}

/** Hashing hundreds of files at once would delay every turn of the event loop. */
const hashing = pLimit(2)

async function check(folders: Folders, file: FileRow): Promise<void> {
  const hash = createHash('sha256')
  await hashing(() => fromPath(folders, file, path => pipeline(createReadStream(path), hash, { end: false })))
  if (hash.digest('hex') !== file.sha256) throw new FileDamagedError()
}

/** Reads from the file's path; a missing file is restored first. */
async function fromPath<T>(
  folders: Folders,
  file: FileRow,
  readFrom: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folders.folder, file.storageName)
  return readFrom(path).catch(async error => {
    // Other errors, such as too many open files or a failing disk, do not mean that the file is damaged.
    if (errorCode(error) !== 'ENOENT') throw error
    if ((await takeBack(folders, file)) === 'missing') throw new FileDamagedError(error)
    return readFrom(path)
  })
}

/** Restores a missing file from `orphans/` if an unchanged copy is there. */
async function takeBack(
  { folder, orphans }: Folders,
  { storageName, ...row }: FileRow,
): Promise<'there' | 'taken back' | 'missing'> {
  const [path, orphan] = [join(folder, storageName), join(orphans, storageName)]
  if (await exists(path)) return 'there'
  const bytes = await readFile(orphan).catch(ifMissing(undefined))
  // Another request may have restored the file in the meantime.
  if (bytes === undefined) return (await exists(path)) ? 'there' : 'missing'
  if (sha256(bytes) !== row.sha256) return 'missing'
  await rename(orphan, path).catch(ifMissing(undefined))
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
  const stored = (await readdir(folder, { withFileTypes: true }))
    .filter(isStoredFile)
    .map(entry => entry.name)
  // Read rows and `busy` without an await in between: a file leaves `busy` only after its row is written.
  const rows = readRows()
  const known = new Set(rows.map(row => row.storageName))
  const orphaned = stored.filter(name => !known.has(name) && !busy.has(name))
  const halves = begun.filter(name => !busy.has(name))

  const moved: string[] = []
  for (const name of orphaned) if (await moveToOrphans(orphans, folder, name, minAgeMs)) moved.push(name)
  for (const name of halves) await moveToOrphans(orphans, incoming, name, minAgeMs)
  const present = new Set(stored)
  const absent = rows.filter(row => !present.has(row.storageName))
  const found = { there: [], 'taken back': [], missing: [] } as Record<string, string[]>
  for (const row of absent) found[await takeBack(folders, row)]?.push(row.storageName)
  return { orphaned: moved, takenBack: found['taken back'] ?? [], missing: found.missing ?? [] }
}

async function moveToOrphans(
  orphans: string,
  from: string,
  name: string,
  minAgeMs: number,
): Promise<boolean> {
  const { mtimeMs } = await stat(join(from, name))
  if (minAgeMs > 0 && Date.now() - mtimeMs < minAgeMs) return false
  const isTaken = await exists(join(orphans, name))
  await rename(join(from, name), join(orphans, isTaken ? `${name}.${randomUUID()}` : name))
  return true
}
