import type { Readable } from 'node:stream'
import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { files } from '../../../../db/schema.ts'
import { system } from '../../../domain/accounts/access.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { recordEvent } from '../audit.ts'
import { type Deps, nowIso } from '../deps.ts'
import { FileDamagedError, type IncomingFile, type StoredFile } from '../file-store.ts'

export type FileRow = typeof files.$inferSelect
export type NewFile = { content: Uint8Array; originalName: string; contentType: string }

/**
 * Writes a file to disk, then stores its row and runs `work` in one transaction; an error of `work` removes the file. A
 * kill leaves at most a file without a row, which the sweep moves to orphans. `step` names the failpoints.
 */
export function storeFile<T>(
  deps: Deps,
  step: string,
  { content, ...meta }: NewFile,
  work: (tx: Tx, file: StoredFile) => T,
): Promise<T> {
  return deps.files.saveAndRecord(content, { ...meta, createdAt: nowIso(deps) }, file =>
    recordFile(deps, step, file, work),
  )
}

/** Like `storeFile`, with an uploaded file that is on disk under a temporary name. */
export function storeIncoming<T>(
  deps: Deps,
  step: string,
  { incoming, ...meta }: Omit<NewFile, 'content'> & { incoming: Pick<IncomingFile, 'commitAndRecord'> },
  work: (tx: Tx, file: StoredFile) => T,
): Promise<T> {
  return incoming.commitAndRecord({ ...meta, createdAt: nowIso(deps) }, file =>
    recordFile(deps, step, file, work),
  )
}

async function recordFile<T>(
  deps: Deps,
  step: string,
  file: StoredFile,
  work: (tx: Tx, file: StoredFile) => T,
): Promise<T> {
  failpoint(`before-${step}-commit`)
  try {
    const result = await deps.write(tx => {
      tx.insert(files).values(file).run()
      const value = work(tx, file)
      failpoint(`in-${step}-write`)
      return value
    })
    failpoint(`after-${step}-commit`)
    return result
  } catch (error) {
    const isRecorded = deps.db.select({ id: files.id }).from(files).where(eq(files.id, file.id)).get()
    if (!isRecorded) await deps.files.discard(file)
    throw error
  }
}

/** Marks a file as removed. Row and bytes are kept for the audit log. */
export function markFileRemoved(tx: Tx, at: string, fileId: string): void {
  tx.update(files).set({ removedAt: at }).where(eq(files.id, fileId)).run()
}

/** Deletes the rows of files that nothing refers to; the caller discards their bytes once this is committed. */
export function deleteFileRows(tx: Tx, ids: string[]): void {
  tx.delete(files).where(inArray(files.id, ids)).run()
}

/**
 * The bytes of a file, verified by their hash. A missing or damaged file is reported once to the log and the owner,
 * until it is intact again.
 * @throws FileDamagedError
 */
export const readStoredFile = (deps: Deps, file: FileRow): Promise<Buffer> =>
  reportingDamage(deps, file, () => deps.files.read(file))

/** Verifies a file like `readStoredFile`. @throws FileDamagedError */
export const checkStoredFile = (deps: Deps, file: FileRow): Promise<void> =>
  reportingDamage(deps, file, () => deps.files.check(file))

/** Like `readStoredFile`, but as a stream. It is opened last, so that the sender handles read errors. @throws FileDamagedError */
export async function streamStoredFile(deps: Deps, file: FileRow): Promise<Readable> {
  await checkStoredFile(deps, file)
  return deps.files.stream(file)
}

async function reportingDamage<T>(deps: Deps, file: FileRow, read: () => Promise<T>): Promise<T> {
  try {
    const content = await read()
    if (file.damagedAt !== null) await markDamage(deps, [file.id], null)
    return content
  } catch (error) {
    if (error instanceof FileDamagedError) {
      deps.log.error({ err: error, fileId: file.id }, 'a stored file is damaged or missing')
      await markDamage(deps, [file.id], nowIso(deps))
    }
    throw error
  }
}

/**
 * Moves files without a row to orphans, moves orphans with a row back, and reports rows without a file to the log and
 * the owner. Only for the process that listens on the site's port: another process could move files that this one is
 * storing. `minAgeMs` protects young files, whose rows a process that is shutting down may still write.
 */
export async function sweepFiles(deps: Deps, minAgeMs = 0): Promise<{ orphaned: number; missing: number }> {
  const { id, storageName, sha256, damagedAt } = files
  const readRows = () => deps.db.select({ id, storageName, sha256, damagedAt }).from(files).all()
  const { orphaned, takenBack, missing } = await deps.files.sweep(readRows, minAgeMs)
  if (orphaned.length > 0) deps.log.warn({ count: orphaned.length }, 'moved files without a row to orphans/')
  const among = (names: string[]) => {
    const wanted = new Set(names)
    return names.length === 0 ? [] : readRows().filter(row => wanted.has(row.storageName))
  }
  const returned = among(takenBack)
  if (returned.length > 0)
    deps.log.warn({ fileIds: returned.map(row => row.id) }, 'restored files from orphans/')
  const whole = returned.filter(row => row.damagedAt !== null).map(row => row.id)
  if (whole.length > 0) await markDamage(deps, whole, null)
  if (missing.length > 0) {
    const missingIds = among(missing).map(row => row.id)
    deps.log.error({ fileIds: missingIds }, 'stored files are missing')
    await markDamage(deps, missingIds, nowIso(deps))
  }
  return { orphaned: orphaned.length, missing: missing.length }
}

/** Does not throw if the mark cannot be written, as the log also has the damage. */
async function markDamage(deps: Deps, ids: string[], damagedAt: string | null): Promise<void> {
  await deps
    .write(tx => {
      const marked = tx
        .update(files)
        .set({ damagedAt })
        .where(and(inArray(files.id, ids), (damagedAt === null ? isNotNull : isNull)(files.damagedAt)))
        .returning({ id: files.id })
        .all()
      const kind = damagedAt === null ? 'file.whole_again' : 'file.damaged'
      for (const { id } of marked) recordEvent(tx, nowIso(deps), system, kind, id)
    })
    .catch(error => deps.log.error({ err: error, fileIds: ids }, 'the damage could not be recorded'))
}
