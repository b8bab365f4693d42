import { and, count, eq, isNull, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { addenda, applications, files, leases } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages, type SignedBy } from '../../domain/leases/lease.ts'
import { leaseFileName, leaseTitle } from '../../domain/leases/lease-layout.ts'
import {
  dueSince,
  getApplicationRecord,
  isSigned,
  type LeaseRow,
  type OwnApplication,
} from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import type { Deps } from '../kernel/deps.ts'
import { type FileRow, streamStoredFile } from '../kernel/files/stored-file.ts'
import { sha256 } from '../lib/sha256.ts'

/** A lease or an addendum to it with its verified text, and the application. */
export type Document = { lease: typeof leases.$inferSelect; record: OwnApplication }

/** The lease in force, or an addendum to it that was not closed. */
const isStanding = and(
  isNull(leases.voidedAt),
  sql`not exists (select 1 from ${addenda} where ${addenda.leaseId} = ${leases.id} and ${addenda.closed} is not null)`,
)

/**
 * The lease of an application, or one of its addenda.
 * @throws AppError not_found, also before generation; internal if the text is damaged
 */
export function loadDocument(
  db: Db,
  actor: SignedIn,
  applicationId: string,
  addendumId?: string | null,
): Document {
  const record = getApplicationRecord(db, actor, applicationId)
  return documentIn(db, record, addendumId ?? record.lease?.id)
}

/** @throws AppError not_found; internal if the text is damaged */
export function documentIn(db: Db, record: OwnApplication, id: string | undefined): Document {
  const isIt = and(eq(leases.id, id ?? ''), eq(leases.applicationId, record.application.id), isStanding)
  const lease = db.select().from(leases).where(isIt).get()
  if (!lease) throw new AppError('not_found', leaseMessages.notGenerated)
  return { lease: requireIntact(lease), record }
}

/** @throws AppError internal if the text is not the one of the stored hash */
export function requireIntact(lease: Document['lease']): Document['lease'] {
  if (sha256(lease.text) === lease.textSha256) return lease
  const what = lease.kind === 'lease' ? 'lease text' : 'text of the addendum'
  throw new AppError('internal', `The stored ${what} is damaged. Please contact the owner.`)
}

/** Numbers of a kind rise in an application, and are never given twice (CHANGE-22). */
export function nextNumber(db: Db, applicationId: string, kind: LeaseRow['kind']): number {
  const ofKind = and(eq(leases.applicationId, applicationId), eq(leases.kind, kind))
  return (db.select({ count: count() }).from(leases).where(ofKind).get()?.count ?? 0) + 1
}

/** The name of the document, such as `Addendum No. 1`. */
export const titleOf = ({ kind, number }: Pick<LeaseRow, 'kind' | 'number'>): string =>
  kind === 'lease' ? leaseTitle : `Addendum No. ${number}`

/** Such as `lease-agreement-Maya-Rivers.pdf` and `APP-2026-0007-addendum-1-signed.pdf`. */
export function pdfNameOf({ lease, record }: Document, ending: '' | '-signed' = ''): string {
  const { firstName, lastName, number } = record.application
  return lease.kind === 'lease'
    ? leaseFileName(firstName, lastName).replace(/\.pdf$/, `${ending}.pdf`)
    : `${number}-addendum-${lease.number}${ending}.pdf`
}

/** The text as a PDF. @throws AppError unavailable */
export async function unsignedPdf(deps: Deps, document: Document) {
  const { generatedAt, text } = document.lease
  const pdf = await deps.renderer.leasePdf({ text, createdAt: generatedAt, title: titleOf(document.lease) })
  return { content: Buffer.from(pdf), contentType: 'application/pdf', fileName: pdfNameOf(document) }
}

/** The signed file, or before the text as a PDF. @throws AppError unavailable; FileDamagedError */
export async function pdfOf(deps: Deps, document: Document) {
  const file = fileOf(deps.db, document.lease.fileId)
  return file ? sendable(deps, file) : unsignedPdf(deps, document)
}

/** A stored file as it is sent. @throws FileDamagedError */
export async function sendable(deps: Deps, file: FileRow) {
  const { contentType, originalName: fileName } = file
  return { content: await streamStoredFile(deps, file), contentType, fileName }
}

export const fileOf = (db: Db, id: string | null): FileRow | undefined =>
  id === null ? undefined : db.select().from(files).where(eq(files.id, id)).get()

/** @throws AppError conflict if the document is already signed, or the application is not approved */
export function requireSignable({ lease, record }: { lease: LeaseRow; record: OwnApplication }): void {
  if (isSigned(lease)) throw new AppError('conflict', 'This lease is signed already.')
  if (!isBooked(record.application.status))
    throw new AppError('conflict', 'The application must be approved before its lease is signed.')
}

export type Signature = { signedAt: string; signedBy: SignedBy; fileId: string }

/** Stores a signature; null removes it, but what is due still counts from the first one (FIX-31). */
export function setSignature(tx: Tx, at: string, lease: LeaseRow, signature: Signature | null): void {
  const none = { signedAt: null, signedBy: null, fileId: null, firstSignedAt: dueSince(lease) }
  tx.update(leases)
    .set(signature ? { ...signature, firstSignedAt: firstSignedAtOf(tx, lease, signature) } : none)
    .where(eq(leases.id, lease.id))
    .run()
  touchApplication(tx, at, lease.applicationId)
}

/**
 * A signature before the lease was generated: if it is later than the application, the clock was ahead when the lease
 * was generated, and what is owed is due from the signature on. Else the clock is behind now (see `dueSince`).
 */
function firstSignedAtOf(tx: Tx, lease: LeaseRow, { signedAt }: Signature): string | null {
  if (lease.firstSignedAt !== null || lease.generatedAt <= signedAt) return lease.firstSignedAt
  const { createdAt, id } = applications
  const application = tx.select({ createdAt }).from(applications).where(eq(id, lease.applicationId)).get()
  return application && application.createdAt <= signedAt ? signedAt : null
}
