import { eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications, files, leases } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import { AppError } from '../../domain/common/errors.ts'
import { formatShortStay } from '../../domain/common/stay.ts'
import { leaseMessages, type SignedBy } from '../../domain/leases/lease.ts'
import {
  dueSince,
  getApplicationRecord,
  isSigned,
  type LeaseRow,
  type OwnApplication,
} from '../bookings/records.ts'
import { touchApplication } from '../bookings/terms.ts'
import type { FileRow } from '../kernel/files/stored-file.ts'
import { sha256 } from '../lib/sha256.ts'

/** An application with its lease and the lease's text. */
export type GeneratedApplication = OwnApplication & { lease: LeaseRow; text: string }

/**
 * An application with its lease, whose text is verified against the stored hash.
 * @throws AppError not_found, also before generation; internal if the text is damaged
 */
export function loadLease(db: Db, actor: SignedIn, applicationId: string): GeneratedApplication {
  const record = getApplicationRecord(db, actor, applicationId)
  const { lease } = record
  if (!lease) throw new AppError('not_found', leaseMessages.notGenerated)
  const stored = db.select({ text: leases.text }).from(leases).where(eq(leases.id, lease.id)).get()
  const text = stored?.text ?? ''
  if (sha256(text) !== lease.textSha256)
    throw new AppError('internal', 'The stored lease text is damaged. Please contact the owner.')
  return { ...record, lease, text }
}

/** Whose lease it is, for the owner's copy. */
export const whoseLease = ({ application, lease }: OwnApplication) => ({
  tenantName: `${application.firstName} ${application.lastName}`,
  stay: lease ? formatShortStay({ start: lease.startDate, end: lease.endDate }) : '',
})

/** @throws AppError conflict if the lease is already signed, or the application is not approved */
export function requireSignable({ application, lease }: OwnApplication): void {
  if (isSigned(lease)) throw new AppError('conflict', 'This lease is signed already.')
  if (!isBooked(application.status))
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

/** @throws AppError not_found without a signed lease */
export function signedFileOf(db: Db, { lease }: OwnApplication): FileRow {
  const file = lease?.fileId ? db.select().from(files).where(eq(files.id, lease.fileId)).get() : undefined
  if (!file) throw new AppError('not_found', leaseMessages.noSignedLease)
  return file
}
