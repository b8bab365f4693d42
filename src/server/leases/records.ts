import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { files, leases } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/access.ts'
import { isBooked } from '../../domain/application-status.ts'
import { AppError } from '../../domain/errors.ts'
import { leaseMessages, type SignedBy } from '../../domain/lease.ts'
import { isSigned, type LeaseRow, loadRecord, type OwnApplication } from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import type { FileRow } from '../files/stored-file.ts'
import { sha256 } from '../lib/sha256.ts'

/** An application with its generated lease and the text of it. */
export type GeneratedApplication = OwnApplication & { lease: LeaseRow; text: string }

/**
 * The lease of an application, if the actor may see it; its text is held against the hash that was stored with it.
 * @throws AppError not_found, also before generation; internal for a text that is not the stored one
 */
export function loadLease(db: Db | Tx, actor: SignedIn, applicationId: string): GeneratedApplication {
  const record = loadRecord(db, actor, applicationId)
  const { lease } = record
  if (!lease) throw new AppError('not_found', leaseMessages.notGenerated)
  const stored = db.select({ text: leases.text }).from(leases).where(eq(leases.id, lease.id)).get()
  const text = stored?.text ?? ''
  if (sha256(text) !== lease.textSha256)
    throw new AppError('internal', 'The stored lease text is damaged. Please contact the owner.')
  return { ...record, lease, text }
}

/** Whether a signed lease can be stored now. @throws AppError conflict while one is, and for a declined application */
export function requireSignable({ application, lease }: OwnApplication): void {
  if (isSigned(lease)) throw new AppError('conflict', 'This lease is signed already.')
  if (!isBooked(application.status))
    throw new AppError('conflict', 'The application must be approved before its lease is signed.')
}

/** How a lease was signed, and the file that shows it; null takes the signature away. */
export type Signature = { signedAt: string; signedBy: SignedBy; fileId: string }

export function setSignature(tx: Tx, at: string, lease: LeaseRow, signature: Signature | null): void {
  const none = { signedAt: null, signedBy: null, fileId: null }
  tx.update(leases)
    .set(signature ?? none)
    .where(eq(leases.id, lease.id))
    .run()
  touchApplication(tx, at, lease.applicationId)
}

/** @throws AppError not_found without a signed lease */
export function signedFileOf(db: Db | Tx, { lease }: OwnApplication): FileRow {
  const file = lease?.fileId ? db.select().from(files).where(eq(files.id, lease.fileId)).get() : undefined
  if (!file) throw new AppError('not_found', leaseMessages.noSignedLease)
  return file
}
