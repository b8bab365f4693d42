import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { files } from '../../../db/schema.ts'
import { AppError } from '../../domain/errors.ts'
import { faultPoint } from '../fault-point.ts'

/** A file that is safely on disk; its row is written next, by the caller. */
export type StoredFile = typeof files.$inferInsert
type FileRow = Pick<typeof files.$inferSelect, 'storageName' | 'sha256'>

export type FileStore = {
  /** Temporary name -> write -> fsync -> rename -> fsync of the folder; the row comes after that. Bytes are hashed on the way. */
  save: (
    content: Uint8Array,
    meta: { originalName: string; contentType: string; createdAt: string },
  ) => Promise<StoredFile>
  /** @throws AppError internal FileDamaged when the bytes are not those that were stored, or are gone */
  read: (file: FileRow) => Promise<Buffer>
  /** Takes back a file whose row could not be written. */
  discard: (file: Pick<StoredFile, 'storageName'>) => Promise<void>
  /** Moves what has no row into `orphans/` and names the rows without a file. */
  sweep: (knownNames: ReadonlySet<string>) => Promise<{ setAside: string[]; missing: string[] }>
}

export class FileDamaged extends AppError {
  constructor(cause?: unknown) {
    super('internal', 'This file is damaged or missing. The owner has been told.', { cause })
  }
}

/** The only code that touches the uploads folder: files 0600 with random names in folders 0700. */
export async function createFileStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, 'incoming')
  const orphans = join(folder, 'orphans')
  for (const path of [folder, incoming, orphans]) await mkdir(path, { recursive: true, mode: 0o700 })

  return {
    async save(content, meta) {
      const storageName = randomBytes(24).toString('hex')
      const temporary = join(incoming, storageName)
      try {
        await writeDurably(temporary, content)
        faultPoint('file-written')
        await rename(temporary, join(folder, storageName))
        faultPoint('file-renamed')
        await syncFolder(folder)
      } catch (error) {
        await rm(temporary, { force: true })
        if (isDiskFull(error))
          throw new AppError('unavailable', 'Nothing can be stored at the moment. Please try again later.', {
            cause: error,
          })
        throw error
      }
      const sha256 = createHash('sha256').update(content).digest('hex')
      return { id: randomUUID(), storageName, sha256, sizeBytes: content.byteLength, ...meta }
    },
    async read({ storageName, sha256 }) {
      const bytes = await readFile(join(folder, storageName)).catch(error => {
        // Too many open files or a failing disk say nothing about the file.
        throw codeOf(error) === 'ENOENT' ? new FileDamaged(error) : error
      })
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) throw new FileDamaged()
      return bytes
    },
    async discard({ storageName }) {
      await rm(join(folder, storageName), { force: true })
    },
    async sweep(knownNames) {
      const stored = (await readdir(folder, { withFileTypes: true }))
        .filter(entry => entry.isFile() && entry.name !== '.gitkeep')
        .map(entry => entry.name)
      const stale = stored.filter(name => !knownNames.has(name))
      for (const name of stale) await rename(join(folder, name), join(orphans, name))
      for (const name of await readdir(incoming)) await rename(join(incoming, name), join(orphans, name))
      const present = new Set(stored)
      return { setAside: stale, missing: [...knownNames].filter(name => !present.has(name)) }
    },
  }
}

async function writeDurably(path: string, content: Uint8Array): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')
/** Full, or beyond what this user may use of it. */
const isDiskFull = (error: unknown) => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error))
