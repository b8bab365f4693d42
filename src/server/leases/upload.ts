import type { Db } from '../../../db/open.ts'
import { requireAdmin, requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages } from '../../domain/leases/lease.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { getApplicationRecord, type LeaseRow, listOwnApplications } from '../bookings/records.ts'
import { presentForAdmin, presentForTenant } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import type { Deps } from '../kernel/deps.ts'
import { storeFile } from '../kernel/files/stored-file.ts'
import { lastReadSha256 } from './record-view.ts'
import { requireSignable, setSignature } from './records.ts'
import { checkScan } from './scan.ts'
import { voidSigning } from './signing/void.ts'

/** Each role has a separate upload path. */
export type Uploader = 'tenant' | 'admin'

/** Before a form is read, which says of which application. @throws AppError forbidden; not_found for a tenant without a lease */
export function requireUploader(db: Db, actor: SignedIn, uploader: Uploader): void {
  if (uploader === 'admin') return void requireAdmin(actor)
  const tenant = requireTenant(actor, 'Please upload it in the back office.')
  if (!listOwnApplications(db, tenant).some(({ lease }) => lease))
    throw new AppError('not_found', leaseMessages.notGenerated)
}

/**
 * The lease that a scan is uploaded for; called before the file is read.
 * @throws AppError forbidden for the administrator without a step-up (FIX-32); not_found, also before generation (conflict for the admin); conflict if a signed lease is stored, or for a tenant who has read only an earlier text
 */
export function requireUploadable(
  deps: Deps,
  db: Db,
  actor: SignedIn,
  uploader: Uploader,
  applicationId: string,
): LeaseRow {
  requireUploader(db, actor, uploader)
  if (uploader === 'admin') requireStepUp(deps, db, actor)
  const record = getApplicationRecord(db, actor, applicationId)
  if (!record.lease)
    throw new AppError(uploader === 'admin' ? 'conflict' : 'not_found', leaseMessages.notGenerated)
  requireSignable(record)
  if (uploader === 'tenant') requireRead(db, actor, record.lease)
  return record.lease
}

/**
 * Refuses the scan of a tenant who last opened or downloaded an earlier text.
 * @throws AppError conflict
 */
function requireRead(db: Db, actor: SignedIn, lease: LeaseRow): void {
  const readSha256 = lastReadSha256(db, actor.userId, lease.applicationId)
  if (readSha256 !== undefined && readSha256 !== lease.textSha256)
    throw new AppError('conflict', leaseMessages.changedSinceRead)
}

/**
 * Stores the scan of a lease signed on paper, and marks the lease as signed.
 * @throws AppError as in `requireUploadable`; bad_request, too_large, unsupported_type for the file
 */
export async function uploadSignedLease(
  deps: Deps,
  actor: SignedIn,
  uploader: Uploader,
  input: { applicationId: string; content: Uint8Array; name: string },
) {
  const { applicationId: id } = input
  requireUploadable(deps, deps.db, actor, uploader, id)
  const scan = checkScan(input.content, input.name)
  return storeFile(deps, 'upload', scan, (tx, file) => {
    const lease = requireUploadable(deps, tx, actor, uploader, id)
    const at = file.createdAt
    voidSigning(deps, tx, actor, { leaseId: lease.id }, 'The lease was signed on paper.')
    const signedBy = uploader === 'admin' ? 'admin_upload' : 'user_upload'
    setSignature(tx, at, lease, { signedAt: at, signedBy, fileId: file.id })
    recordEvent(tx, at, actor, 'lease.uploaded', id, {
      originalName: file.originalName,
      contentType: file.contentType,
      sizeBytes: file.sizeBytes,
      fileId: file.id,
      fileSha256: file.sha256,
      leaseTextSha256: lease.textSha256,
    })
    const record = getApplicationRecord(tx, actor, id)
    return { tenantView: presentForTenant(record), adminView: presentForAdmin(tx, record) }
  })
}
