import type { Db } from '../../../../db/open.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { recordEvent } from '../../kernel/audit.ts'
import type { Deps } from '../../kernel/deps.ts'
import { storeFile } from '../../kernel/files/stored-file.ts'
import { checkScan } from '../scan.ts'
import { voidSigning } from '../signing/void.ts'
import { applyAddendum } from './apply.ts'
import { mailSignedAddendum } from './mails.ts'
import { loadAddendum, requireOpen } from './records.ts'
import { type AddendumView, presentAddendum } from './views.ts'

/** Checked before the file is read. @throws AppError not_found; conflict unless it is open */
export const requireUploadableAddendum = (deps: Deps, db: Db, actor: SignedIn, id: string): void =>
  requireOpen(deps, loadAddendum(db, actor, id))

/**
 * Stores the scan of an addendum signed on paper, which counts as signed (CHANGE-25).
 * @throws AppError like `applyAddendum`; bad_request, too_large, unsupported_type for the file
 */
export async function uploadSignedAddendum(
  deps: Deps,
  actor: SignedIn,
  { content, id, name }: { id: string; content: Uint8Array; name: string },
): Promise<{ addendum: AddendumView }> {
  requireUploadableAddendum(deps, deps.db, actor, id)
  const scan = checkScan(content, name)
  return storeFile(deps, 'upload', scan, (tx, file) => {
    const signedBy = actor.role === 'admin' ? 'admin_upload' : 'user_upload'
    const signed = applyAddendum(deps, tx, actor, loadAddendum(tx, actor, id), {
      signedAt: file.createdAt,
      signedBy,
      fileId: file.id,
    })
    const { lease, record } = signed
    recordEvent(tx, file.createdAt, actor, 'lease.addendum_uploaded', record.application.id, {
      addendum: lease.number,
      originalName: file.originalName,
      fileId: file.id,
      fileSha256: file.sha256,
      addendumTextSha256: lease.textSha256,
    })
    voidSigning(deps, tx, actor, { leaseId: id }, 'A scan of the signed addendum was uploaded.')
    mailSignedAddendum(deps, tx, signed, file)
    return { addendum: presentAddendum(deps, signed) }
  })
}
