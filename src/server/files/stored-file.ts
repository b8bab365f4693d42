import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { files } from '../../../db/schema.ts'
import { system } from '../../domain/access.ts'
import { recordEvent } from '../audit.ts'
import { type Deps, nowIso } from '../deps.ts'
import { faultPoint } from '../fault-point.ts'
import { FileDamaged, type StoredFile } from './file-store.ts'

export type FileRow = typeof files.$inferSelect
export type NewFile = { content: Uint8Array; originalName: string; contentType: string }

/**
 * Puts a file on disk, then its row and `work` into one transaction; a refusal by `work` takes the file back. Killed
 * at any moment it leaves a file without a row at the most, which the sweep sets aside (operations, Storage). `step`
 * names the fault points.
 */
export async function storeFile<T>(
  deps: Deps,
  step: string,
  { content, ...meta }: NewFile,
  work: (tx: Tx, file: StoredFile) => T,
): Promise<T> {
  const file = await deps.files.save(content, { ...meta, createdAt: nowIso(deps) })
  faultPoint(`before-${step}-commit`)
  try {
    const result = await deps.write(tx => {
      tx.insert(files).values(file).run()
      const value = work(tx, file)
      faultPoint(`in-${step}-write`)
      return value
    })
    faultPoint(`after-${step}-commit`)
    return result
  } catch (error) {
    const isRecorded = deps.db.select({ id: files.id }).from(files).where(eq(files.id, file.id)).get()
    if (!isRecorded) await deps.files.discard(file)
    throw error
  }
}

/** What a removal takes away is kept aside for the audit log, not erased (decisions, leases). */
export function setAsideFile(tx: Tx, at: string, fileId: string): void {
  tx.update(files).set({ removedAt: at }).where(eq(files.id, fileId)).run()
}

/**
 * The bytes as they were stored, checked by their hash. Others are told to the log and to the owner, once, until the
 * file is whole again.
 * @throws FileDamaged
 */
export async function readStoredFile(deps: Deps, file: FileRow): Promise<Buffer> {
  try {
    const bytes = await deps.files.read(file)
    if (file.damagedAt !== null) await markDamage(deps, [file.id], null)
    return bytes
  } catch (error) {
    if (error instanceof FileDamaged) {
      deps.log.error({ err: error, fileId: file.id }, 'a stored file is damaged or missing')
      await markDamage(deps, [file.id], nowIso(deps))
    }
    throw error
  }
}

/**
 * Called at the start, before anything is stored: sets files without a row aside and tells the log and the owner of
 * rows without a file (operations, Storage).
 */
export async function sweepFiles(deps: Deps): Promise<{ setAside: number; missing: number }> {
  const rows = deps.db.select({ id: files.id, storageName: files.storageName }).from(files).all()
  const { setAside, missing } = await deps.files.sweep(new Set(rows.map(row => row.storageName)))
  if (setAside.length > 0) deps.log.warn({ count: setAside.length }, 'files without a record were set aside')
  if (missing.length > 0) {
    const missingIds = rows.filter(row => missing.includes(row.storageName)).map(row => row.id)
    deps.log.error({ fileIds: missingIds }, 'stored files are missing')
    await markDamage(deps, missingIds, nowIso(deps))
  }
  return { setAside: setAside.length, missing: missing.length }
}

/** Nothing is refused because this mark could not be written: the log has it too. */
async function markDamage(deps: Deps, ids: string[], damagedAt: string | null): Promise<void> {
  await deps
    .write(tx => {
      const marked = tx
        .update(files)
        .set({ damagedAt })
        .where(and(inArray(files.id, ids), damagedAt === null ? undefined : isNull(files.damagedAt)))
        .returning({ id: files.id })
        .all()
      const kind = damagedAt === null ? 'file.whole_again' : 'file.damaged'
      for (const { id } of marked) recordEvent(tx, nowIso(deps), system, kind, id)
    })
    .catch(error => deps.log.error({ err: error, fileIds: ids }, 'the damage could not be recorded'))
}
