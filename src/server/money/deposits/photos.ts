import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { depositItems } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { evidenceTexts } from '../../../domain/bookings/evidence.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { addEvidence, type EvidenceUpload } from '../../bookings/evidence/add-evidence.ts'
import { listEvidence } from '../../bookings/evidence/records.ts'
import type { Deps } from '../../kernel/deps.ts'

const maxPhotosOfItem = 10

/** An item that is claimed or kept. @throws AppError not_found */
export function requireItem(db: Db, itemId: string) {
  const isThere = and(eq(depositItems.id, itemId), isNull(depositItems.voidedAt))
  const item = db.select().from(depositItems).where(isThere).get()
  if (!item) throw new AppError('not_found', 'Item not found')
  return item
}

/** @throws AppError not_found; conflict for an item that is kept or has ten photos */
function requireOpenItem(db: Db, itemId: string): void {
  if (requireItem(db, itemId).keptAt !== null) throw new AppError('conflict', evidenceTexts.itemKept)
  if (listEvidence(db, 'deposit_item', [itemId]).length >= maxPhotosOfItem)
    throw new AppError('conflict', 'An item can have 10 photos.')
}

/**
 * Keeps a photo of an item; the same request, or the same bytes again, give the photo that is there.
 * @throws AppError like `addEvidence`; not_found; conflict for an item that is kept or has ten photos
 */
export async function addItemPhoto(
  deps: Deps,
  actor: Admin,
  { itemId, requestId }: { itemId: string; requestId?: string | undefined },
  upload: EvidenceUpload,
): Promise<{ applicationId: string; photoId: string }> {
  const { applicationId } = requireItem(deps.db, itemId)
  const of = { applicationId, subject: 'deposit_item', subjectId: itemId, screen: 'application' } as const
  const requireOpen = (db: Db) => requireOpenItem(db, itemId)
  const { id } = await addEvidence(deps, { ...of, actor, requestId }, upload, requireOpen)
  return { applicationId, photoId: id }
}
