import type { Db } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { addEvidence, type EvidenceUpload } from '../../bookings/evidence/add-evidence.ts'
import { listEvidence } from '../../bookings/evidence/records.ts'
import { removeEvidence } from '../../bookings/evidence/remove-evidence.ts'
import type { Deps } from '../../kernel/deps.ts'
import { requireItem, requireOpenItem } from './items.ts'
import { adminDeposit } from './queries.ts'
import { requireWatched } from './records.ts'
import type { AdminDepositView } from './views.ts'

const maxPhotosOfItem = 10

/**
 * Keeps a photo of an item; the same request, or the same bytes again, give the photo that is there.
 * @throws AppError like `addEvidence`; not_found; conflict for an item that is kept or has ten photos
 */
export async function addItemPhoto(
  deps: Deps,
  actor: Admin,
  { itemId, requestId }: { itemId: string; requestId?: string | undefined },
  upload: EvidenceUpload,
): Promise<{ deposit: AdminDepositView; photoId: string }> {
  requireWatched(deps.db)
  const { applicationId } = requireItem(deps.db, itemId)
  const of = { applicationId, subject: 'deposit_item', subjectId: itemId, screen: 'application' } as const
  const requireOpen = (db: Db) => {
    requireWatched(db)
    requireOpenItem(db, itemId)
    if (listEvidence(db, 'deposit_item', [itemId]).length >= maxPhotosOfItem)
      throw new AppError('conflict', 'An item can have 10 photos.')
  }
  const { id } = await addEvidence(deps, { ...of, actor, requestId }, upload, requireOpen)
  return { deposit: adminDeposit(deps, actor, applicationId), photoId: id }
}

/** Sets a photo of an item aside. @throws AppError like `removeEvidence`; conflict while deposits are not watched */
export async function removeItemPhoto(deps: Deps, actor: Admin, photoId: string): Promise<AdminDepositView> {
  requireWatched(deps.db)
  const { applicationId } = await removeEvidence(deps, actor, photoId)
  return adminDeposit(deps, actor, applicationId)
}
