import { eq } from 'drizzle-orm'
import { pictureCopies, pictures } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { labelOf } from '../../../domain/content/content-label.ts'
import { pictureMessages } from '../../../domain/content/picture.ts'
import { picturesOnArrival } from '../../arrival/arrival.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { markFileRemoved } from '../../kernel/files/stored-file.ts'
import { removeCopies } from '../../workers/pictures/media-folder.ts'
import { shippedPictures } from '../content/pictures.ts'
import { readPublishedContent } from '../content/published.ts'
import { readUses } from './queries.ts'
import { copiesOf, hashesOfCopies, loadPicture } from './records.ts'

/**
 * Removes an upload from the list; its copies are gone when this resolves, its original is marked as removed.
 * @throws AppError not_found; conflict for a shipped picture, and while draft or published content uses it
 */
export async function removePicture(deps: Deps, actor: Admin, id: string): Promise<{ message: string }> {
  if (shippedPictures.has(id)) throw new AppError('conflict', pictureMessages.shipped)
  const hashes = await deps.write(tx => {
    const { fileId, name, sha256 } = loadPicture(tx, id)
    const usedIn = readUses(tx, readPublishedContent(tx, deps.config).document)(id)
    const places = usedIn.map(section => labelOf([section]))
    if (picturesOnArrival(tx).includes(id)) places.push('Arrival')
    if (places.length > 0) throw new AppError('conflict', pictureMessages.inUse(places))
    const at = nowIso(deps)
    const copies = copiesOf(tx, [id]).flatMap(row => hashesOfCopies(row, sha256))
    tx.delete(pictureCopies).where(eq(pictureCopies.pictureId, id)).run()
    tx.update(pictures).set({ removedAt: at, fileId: null }).where(eq(pictures.id, id)).run()
    if (fileId !== null) markFileRemoved(tx, at, fileId)
    recordEvent(tx, at, actor, 'picture.removed', id, { name, sha256, fileId })
    return new Set(copies)
  })
  await removeCopies(deps.config.uploadsDir, ({ hash }) => hashes.has(hash))
  return { message: pictureMessages.removed }
}
