import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { applications } from '../../../db/schema.ts'
import { type Admin, requireAdmin, requireTenant, type SignedIn } from '../../domain/access.ts'
import { isBooked } from '../../domain/application-status.ts'
import { AppError } from '../../domain/errors.ts'
import { leaseMessages, tenantRemovalProblem } from '../../domain/lease.ts'
import { assertNoOverlap } from '../bookings/nights.ts'
import { presentForAdmin, presentForTenant } from '../bookings/presenter.ts'
import { type ApplicationRow, loadRecord } from '../bookings/records.ts'
import { readStoredFile, setAsideFile, storeFile } from '../files/stored-file.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { recordReading, requireSignable, signedFileOf } from './lease-record.ts'
import { checkScan } from './scan.ts'

/** Who uploads: the tenant to an own application, the admin through a path of their own. */
export type Uploader = 'tenant' | 'admin'

/** Whether this actor may use this way to upload at all. @throws AppError unauthorized, forbidden */
export function requireUploader(actor: SignedIn, uploader: Uploader): void {
  if (uploader === 'admin') requireAdmin(actor)
  else requireTenant(actor, 'Please use the upload of the administration.')
}

/**
 * Whether a signed lease may be uploaded to this application now; asked before the file is read.
 * @throws AppError not_found, before generation too (conflict for the admin); conflict while a signed one is stored
 */
export function requireUploadable(
  db: Db | Tx,
  actor: SignedIn,
  uploader: Uploader,
  applicationId: string,
): void {
  requireUploader(actor, uploader)
  const { application } = loadRecord(db, actor, applicationId)
  if (application.leaseGeneratedAt === null)
    throw new AppError(uploader === 'admin' ? 'conflict' : 'not_found', leaseMessages.notGenerated)
  requireSignable(application)
}

/**
 * Stores the scan of a lease that was signed on paper: the lease counts as signed.
 * @throws AppError as `requireUploadable`; bad_request, too_large, unsupported_type for the file
 */
export async function uploadSignedLease(
  deps: Deps,
  actor: SignedIn,
  uploader: Uploader,
  input: { applicationId: string; content: Uint8Array; name: string },
) {
  const { applicationId: id } = input
  requireUploadable(deps.db, actor, uploader, id)
  const scan = await checkScan(input.content, input.name)
  return storeFile(deps, 'upload', scan, (tx, file) => {
    requireUploadable(tx, actor, uploader, id)
    const at = file.createdAt
    const signedBy = uploader === 'admin' ? 'admin_upload' : 'user_upload'
    tx.update(applications)
      .set({ leaseSignedAt: at, signedFileId: file.id, signedBy, updatedAt: at })
      .where(eq(applications.id, id))
      .run()
    recordEvent(tx, at, actor, 'lease.uploaded', id, {
      originalName: file.originalName,
      contentType: file.contentType,
      sizeBytes: file.sizeBytes,
      fileId: file.id,
      fileSha256: file.sha256,
    })
    const record = loadRecord(tx, actor, id)
    return { tenantView: presentForTenant(record), adminView: presentForAdmin(record) }
  })
}

/**
 * The signed lease as it was stored; without an id the caller's own newest one.
 * @throws AppError not_found; FileDamaged
 */
export async function readSignedLease(deps: Deps, actor: SignedIn, applicationId: string | undefined) {
  const id = applicationId ?? newestSignedId(deps, actor)
  if (id === undefined) throw new AppError('not_found', leaseMessages.noSignedLease)
  const file = signedFileOf(deps.db, loadRecord(deps.db, actor, id).application)
  const content = await readStoredFile(deps, file)
  await recordReading(deps, actor, 'lease.signed_viewed', id, { fileId: file.id })
  return { content, contentType: file.contentType, fileName: file.originalName }
}

function newestSignedId({ db }: Deps, actor: SignedIn): string | undefined {
  return db
    .select({ id: applications.id })
    .from(applications)
    .where(
      and(
        eq(applications.userId, actor.userId),
        isNull(applications.deletedAt),
        isNotNull(applications.signedFileId),
      ),
    )
    .orderBy(desc(applications.leaseSignedAt))
    .get()?.id
}

/**
 * Takes a signed lease away, so that the lease can be signed again; its file is kept aside.
 * @throws AppError not_found; forbidden and conflict for a tenant, see `tenantRemovalProblem`
 */
export async function removeSignedLease(deps: Deps, actor: SignedIn, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const { application } = loadRecord(tx, actor, applicationId)
    if (application.signedFileId === null) throw new AppError('not_found', leaseMessages.noSignedLease)
    const problem = actor.role === 'tenant' ? tenantRemovalProblem(application) : undefined
    if (problem) throw new AppError(problem.code, problem.message)
    clearSignature(tx, deps, actor, application)
  })
}

/**
 * Deletes the lease: signed file, signature and generated lease. The requested dates are booked again.
 * @throws AppError not_found without a lease; conflict where somebody else has booked the requested dates by now
 */
export async function deleteLease(deps: Deps, actor: Admin, applicationId: string): Promise<void> {
  await deps.write(tx => {
    const { application: row } = loadRecord(tx, actor, applicationId)
    if (row.leaseGeneratedAt === null && row.signedFileId === null)
      throw new AppError('not_found', leaseMessages.notGenerated)
    if (isBooked(row.status))
      assertNoOverlap(tx, { start: row.requestedStartDate, end: row.requestedEndDate }, row.id)
    if (row.signedFileId !== null) clearSignature(tx, deps, actor, row)
    tx.update(applications).set(noLease).where(eq(applications.id, row.id)).run()
    recordEvent(tx, nowIso(deps), actor, 'lease.deleted', row.id, {
      leaseTextSha256: row.leaseTextSha256,
      leaseStartDate: row.leaseStartDate,
      leaseEndDate: row.leaseEndDate,
      rentCents: row.rentCents,
      depositCents: row.depositCents,
    })
  })
}

const noLease = {
  leaseStartDate: null,
  leaseEndDate: null,
  rentCents: null,
  depositCents: null,
  leaseText: null,
  leaseTextSha256: null,
  leaseGeneratedAt: null,
  totalCents: 0,
}

function clearSignature(tx: Tx, deps: Deps, actor: SignedIn, row: ApplicationRow): void {
  const at = nowIso(deps)
  if (row.signedFileId !== null) setAsideFile(tx, at, row.signedFileId)
  tx.update(applications)
    .set({ leaseSignedAt: null, signedFileId: null, signedBy: null, updatedAt: at })
    .where(eq(applications.id, row.id))
    .run()
  recordEvent(tx, at, actor, 'lease.removed', row.id, { fileId: row.signedFileId, signedBy: row.signedBy })
}
