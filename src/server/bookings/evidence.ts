import { randomUUID } from 'node:crypto'
import { and, asc, count, eq, getTableColumns, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { depositItems, depositLetters, depositStatements, evidence, files } from '../../../db/schema.ts'
import type { Admin, SignedIn } from '../../domain/accounts/access.ts'
import { evidenceRefusals, maxEvidence, maxEvidenceBytes } from '../../domain/bookings/evidence.ts'
import { AppError } from '../../domain/common/errors.ts'
import { depositRefusals } from '../../domain/money/deposit-case.ts'
import { recordEvent } from '../kernel/audit.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { FileDamagedError } from '../kernel/file-store.ts'
import { safeName } from '../kernel/files/safe-name.ts'
import {
  checkStoredFile,
  type FileRow,
  storeIncoming,
  streamStoredFile,
} from '../kernel/files/stored-file.ts'
import { getApplicationRow } from './records.ts'

/** A photo that is kept as it came, with its file. */
export type EvidenceRow = ReturnType<typeof listEvidence>[number]

const selectEvidence = (db: Db) =>
  db
    .select({ ...getTableColumns(evidence), file: files })
    .from(evidence)
    .innerJoin(files, eq(files.id, evidence.fileId))

/** What is kept of these subjects and not set aside, in the order of receipt. */
export const listEvidence = (db: Db, subjectIds: readonly string[]) =>
  selectEvidence(db)
    .where(and(inArray(evidence.subjectId, [...subjectIds]), isNull(evidence.removedAt)))
    .orderBy(asc(sql`${evidence}.rowid`))
    .all()

/** Undefined also if it is set aside. */
const findEvidence = (db: Db, id: string): EvidenceRow | undefined =>
  selectEvidence(db)
    .where(and(eq(evidence.id, id), isNull(evidence.removedAt)))
    .get()
const notFound = () => new AppError('not_found', evidenceRefusals.notFound)

type Document = Pick<typeof depositStatements.$inferSelect, 'items'>

/** Whether one of these statements or letters names the photo. */
export const isNamedIn = (documents: readonly Document[], photoId: string): boolean =>
  documents.some(({ items }) => items.some(({ photos }) => photos.some(({ id }) => id === photoId)))

const documentsOf = (
  db: Db,
  table: typeof depositLetters | typeof depositStatements,
  { applicationId }: EvidenceRow,
): Document[] =>
  db.select({ items: table.items }).from(table).where(eq(table.applicationId, applicationId)).all()

type NewEvidence = Pick<EvidenceRow, 'applicationId' | 'screen' | 'subject' | 'subjectId'> & {
  actor: SignedIn
  /** The same one again is the row that is there. */
  requestId?: string | undefined
}
export type EvidenceUpload = { source: AsyncIterable<Uint8Array>; name: string }

const types = {
  jpeg: { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { contentType: 'image/png', endings: ['png'] },
}
const limit = {
  maxBytes: maxEvidenceBytes,
  tooLarge: () => new AppError('too_large', evidenceRefusals.fileTooLarge),
}

/**
 * Keeps an incoming photo as it came, with the time of its last byte. The same request, or the same bytes again for the
 * same subject, give the id of the row that is there. `requireWanted` throws if the subject may get no other photo; it is
 * also called in the transaction that stores it.
 * @throws AppError too_large; unsupported_type; bad_request for an empty file; conflict for too many; unavailable; what
 * `requireWanted` and the source throw
 */
export async function addEvidence(
  deps: Deps,
  { actor, ...wanted }: NewEvidence,
  { name, source }: EvidenceUpload,
  requireWanted: (db: Db) => void,
): Promise<{ id: string }> {
  const { applicationId, requestId = randomUUID(), subject, subjectId } = wanted
  return deps.files.receive(source, limit, async incoming => {
    const receivedAt = nowIso(deps)
    const clockDoubtful = futureEventTime(deps) !== undefined
    if (incoming.sizeBytes === 0) throw new AppError('bad_request', evidenceRefusals.fileMissing)
    const { sha256 } = incoming
    const find = (db: Db) => findKnown(db, { subject, subjectId, requestId, sha256 })
    const known = find(deps.db)
    if (known) return known
    const requireRoom = (db: Db) => {
      requireWanted(db)
      requireRoomInStay(db, applicationId)
    }
    requireRoom(deps.db)
    const { format, takenAt } = await deps.picturePreparer.readPhoto(incoming)
    const { contentType, endings } = types[format]
    const file = { incoming, contentType, originalName: safeName(name, endings, 'photo') }
    const storing = storeIncoming(deps, 'evidence', file, (tx, { id: fileId }) => {
      // Rolls back the transaction, so that the second file is deleted.
      if (find(tx)) throw new Error('the photo is there already')
      requireRoom(tx)
      const id = randomUUID()
      const from = { actorRole: actor.role, actorId: actor.userId, ...actor.requestOrigin }
      const facts = { requestId, fileId, sha256, receivedAt, takenAt, clockDoubtful }
      tx.insert(evidence)
        .values({ id, ...wanted, ...facts, ...from })
        .run()
      const detail = { applicationId, subject, subjectId, sha256, receivedAt }
      recordEvent(tx, nowIso(deps), actor, 'evidence.added', id, detail)
      return { id }
    })
    return storing.catch(error => {
      const there = find(deps.db)
      if (there) return there
      throw error
    })
  })
}

/** The row of the same request, or of the same bytes for the same subject (EVID-06). */
function findKnown(
  db: Db,
  same: Pick<EvidenceRow, 'requestId' | 'sha256' | 'subject' | 'subjectId'>,
): { id: string } | undefined {
  const isSameFile = and(eq(evidence.sha256, same.sha256), isNull(evidence.removedAt))
  const isSame = or(eq(evidence.requestId, same.requestId), isSameFile)
  return db
    .select({ id: evidence.id })
    .from(evidence)
    .where(and(eq(evidence.subject, same.subject), eq(evidence.subjectId, same.subjectId), isSame))
    .get()
}

/** @throws AppError conflict */
function requireRoomInStay(db: Db, applicationId: string): void {
  const ofStay = and(eq(evidence.applicationId, applicationId), isNull(evidence.removedAt))
  const kept = db.select({ kept: count() }).from(evidence).where(ofStay).get()?.kept ?? 0
  if (kept >= maxEvidence) throw new AppError('conflict', evidenceRefusals.tooMany)
}

/**
 * Sets evidence aside: its row, file and hash stay.
 * @throws AppError not_found; conflict for what a statement or letter names, or of an item that is kept (EVID-05)
 */
export function removeEvidence(deps: Deps, actor: Admin, id: string): Promise<EvidenceRow> {
  return deps.write(tx => {
    const row = findEvidence(tx, id)
    if (!row) throw notFound()
    // Also a letter that was not sent.
    const documents = [depositStatements, depositLetters].flatMap(table => documentsOf(tx, table, row))
    if (isNamedIn(documents, id)) throw new AppError('conflict', evidenceRefusals.inDocument)
    const item = tx.select().from(depositItems).where(eq(depositItems.id, row.subjectId)).get()
    if (item && item.keptAt !== null) throw new AppError('conflict', depositRefusals.itemKept)
    const at = nowIso(deps)
    tx.update(evidence).set({ removedAt: at, removedBy: actor.userId }).where(eq(evidence.id, id)).run()
    const { applicationId, sha256, subject, subjectId } = row
    recordEvent(tx, at, actor, 'evidence.removed', id, { applicationId, subject, subjectId, sha256 })
    return row
  })
}

/**
 * A photo as it came, or its preview; its hash is checked each time.
 * @throws AppError not_found; conflict for a damaged file; unavailable while the preview cannot be made; too_many
 */
export async function readEvidence(deps: Deps, actor: SignedIn, id: string, isPreview = false) {
  const row = findEvidence(deps.db, id)
  if (!row || !mayView(deps.db, actor, row)) throw notFound()
  await deps.limits.consume(isPreview ? 'previewReadByUser' : 'fileByUser', actor.userId)
  const { contentType, originalName: fileName } = row.file
  const read = isPreview ? checkStoredFile : streamStoredFile
  const content = await read(deps, row.file).catch(error => {
    if (error instanceof FileDamagedError) throw new AppError('conflict', error.message, { cause: error })
    throw error
  })
  if (content) return { content, contentType, fileName }
  return {
    content: await previewOf(deps, actor, row.file),
    contentType: 'image/jpeg',
    fileName: 'preview.jpg',
  }
}

/** The owner always; a tenant once a statement names it (EVID-08, DEP-19). */
function mayView(db: Db, actor: SignedIn, row: EvidenceRow): boolean {
  if (actor.role === 'admin') return true
  try {
    getApplicationRow(db, actor, row.applicationId)
  } catch {
    return false
  }
  return isNamedIn(documentsOf(db, depositStatements, row), row.id)
}

async function previewOf(deps: Deps, { userId }: SignedIn, file: FileRow): Promise<Uint8Array> {
  const known = deps.picturePreparer.lastPreview(file.sha256)
  if (known) return known
  await deps.limits.consume('previewByUser', userId)
  const photo = { path: deps.files.pathOf(file), sha256: file.sha256 }
  return deps.picturePreparer.readPhoto(photo).then(
    ({ preview }) => preview,
    error => {
      // It could be decoded when it came.
      if (error instanceof AppError && error.code !== 'unsupported_type') throw error
      throw new AppError('unavailable', evidenceRefusals.busy, { retryAfterSeconds: 60, cause: error })
    },
  )
}

/** The first of these as small JPEGs for documents, in base64 by their ids; what cannot be made now is left out. */
export async function thumbnailsOf(deps: Deps, rows: readonly EvidenceRow[]): Promise<Map<string, string>> {
  const thumbnails = new Map<string, string>()
  for (const { file, id } of rows.slice(0, maxThumbnails))
    await deps.picturePreparer.readPhoto({ path: deps.files.pathOf(file), sha256: file.sha256 }).then(
      ({ thumbnail }) => thumbnails.set(id, Buffer.from(thumbnail).toString('base64')),
      () => {},
    )
  return thumbnails
}

/** Per document, so that drawing and mailing it stays fast. */
const maxThumbnails = 20

/** The ids of what is damaged or missing of these, for documents: every file is read. */
export async function findDamaged(deps: Deps, rows: readonly EvidenceRow[]): Promise<Set<string>> {
  const damaged = new Set<string>()
  for (const { file, id } of rows)
    await checkStoredFile(deps, file).catch(error => {
      if (!(error instanceof FileDamagedError)) throw error
      damaged.add(id)
    })
  return damaged
}
