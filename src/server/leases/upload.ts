import type { Db, Tx } from '../../../db/open.ts'
import { requireAdmin, requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { leaseMessages, leaseRefusals } from '../../domain/leases/lease.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { getApplicationRecord, type LeaseRow, listOwnApplications } from '../bookings/records.ts'
import { presentForAdmin, presentForTenant } from '../bookings/views.ts'
import { recordEvent } from '../kernel/audit.ts'
import type { Deps } from '../kernel/deps.ts'
import { storeFile } from '../kernel/files/stored-file.ts'
import { lastReadSha256 } from './record-view.ts'
import { type Document, documentIn, requireSignable } from './records.ts'
import { checkScan } from './scan.ts'
import { mailSigned, storeSigned } from './signed.ts'
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
): Document {
  requireUploader(db, actor, uploader)
  if (uploader === 'admin') requireStepUp(deps, db, actor)
  const record = getApplicationRecord(db, actor, applicationId)
  if (!record.lease)
    throw new AppError(uploader === 'admin' ? 'conflict' : 'not_found', leaseMessages.notGenerated)
  requireSignable({ lease: record.lease, record })
  if (uploader === 'tenant') requireRead(db, actor, record.lease)
  return documentIn(db, record, record.lease.id)
}

/**
 * Refuses the scan of a tenant who last opened or downloaded an earlier text.
 * @throws AppError conflict
 */
function requireRead(db: Db, actor: SignedIn, lease: LeaseRow): void {
  const readSha256 = lastReadSha256(db, actor.userId, lease.applicationId)
  if (readSha256 !== undefined && readSha256 !== lease.textSha256)
    throw new AppError('conflict', leaseRefusals.changedSinceRead)
}

/**
 * Stores the scan of a lease signed on paper, and marks the lease as signed.
 * @throws AppError as in `requireUploadable`; bad_request, too_large, unsupported_type for the file
 */
export function uploadSignedLease(
  deps: Deps,
  actor: SignedIn,
  uploader: Uploader,
  { applicationId: id, ...scan }: Scan & { applicationId: string },
) {
  return storeScan(deps, actor, scan, {
    load: db => requireUploadable(deps, db, actor, uploader, id),
    answer: tx => {
      const record = getApplicationRecord(tx, actor, id)
      return { tenantView: presentForTenant(record), adminView: presentForAdmin(tx, record) }
    },
  })
}

export type Scan = { content: Uint8Array; name: string }

/** Stores the scan of a document that was signed on paper, which counts as signed (CHANGE-25). */
export async function storeScan<Answer>(
  deps: Deps,
  actor: SignedIn,
  { content, name }: Scan,
  { answer, load }: { load: (db: Db) => Document; answer: (tx: Tx) => Answer },
): Promise<Answer> {
  load(deps.db)
  return storeFile(deps, 'upload', checkScan(content, name), (tx, file) => {
    const document = load(tx)
    const { applicationId, id, kind, number, textSha256 } = document.lease
    const signedBy = actor.role === 'admin' ? 'admin_upload' : 'user_upload'
    const signed = storeSigned(deps, tx, actor, document, file, { signedBy })
    const isLease = kind === 'lease'
    const why = isLease ? 'The lease was signed on paper.' : 'A scan of the signed addendum was uploaded.'
    voidSigning(deps, tx, actor, { leaseId: id }, why)
    const { contentType, createdAt, id: fileId, originalName, sha256: fileSha256, sizeBytes } = file
    const stored = { originalName, fileId, fileSha256 }
    if (isLease) {
      const detail = { ...stored, contentType, sizeBytes, leaseTextSha256: textSha256 }
      recordEvent(tx, createdAt, actor, 'lease.uploaded', applicationId, detail)
    } else {
      const detail = { addendum: number, ...stored, addendumTextSha256: textSha256 }
      recordEvent(tx, createdAt, actor, 'lease.addendum_uploaded', applicationId, detail)
      mailSigned(deps, tx, signed, file)
    }
    return answer(tx)
  })
}
