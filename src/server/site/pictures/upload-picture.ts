import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { pictureCopies, pictures } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { maxPictures, type PictureFormat, pictureMessages } from '../../../domain/content/picture.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { safeName } from '../../kernel/files/safe-name.ts'
import { storeIncoming } from '../../kernel/files/stored-file.ts'
import { shippedPictures } from '../content/pictures.ts'
import { readPicture } from './queries.ts'
import { copiesOf, cutHashes, loadPicture, setCopies } from './records.ts'
import type { AdminPictureView } from './views.ts'

const types: Record<PictureFormat, { contentType: string; endings: string[] }> = {
  jpeg: { contentType: 'image/jpeg', endings: ['jpg', 'jpeg'] },
  png: { contentType: 'image/png', endings: ['png'] },
  webp: { contentType: 'image/webp', endings: ['webp'] },
}

type Upload = { source: AsyncIterable<Uint8Array>; name: string }

/**
 * Stores an incoming picture and queues its page copies. Uploading the same bytes again returns the existing picture,
 * and no second file remains.
 * @throws AppError unavailable for a fourth concurrent upload, or a third of one person; too_large; unsupported_type; bad_request for an unusable
 * picture; conflict beyond 100; what `source` throws
 */
export function uploadPicture(
  deps: Deps,
  actor: Admin,
  { name, source }: Upload,
): Promise<{ picture: AdminPictureView; isNew: boolean }> {
  return deps.receivePicture(actor.userId, source, async incoming => {
    const known = findByContent(deps.db, incoming.sha256)
    if (known) return { picture: readPicture(deps, known), isNew: false }
    assertPictureLimit(deps.db)
    const { format, path } = incoming
    const { height, width } = await deps.picturePreparer.inspect({ path, format })
    const { contentType, endings } = types[format]
    const originalName = safeName(name, endings, 'picture')
    const file = { incoming, originalName, contentType }
    try {
      const id = await storeIncoming(deps, 'picture', file, (tx, { createdAt, id: fileId, sha256 }) => {
        // The same picture may be uploaded twice concurrently.
        const there = findByContent(tx, sha256)
        if (there) throw new DuplicatePictureError(there)
        assertPictureLimit(tx)
        const id = randomUUID()
        const [hash] = cutHashes(sha256, 'page')
        const about = { id, fileId, name: originalName, width, height, sha256 }
        tx.insert(pictures)
          .values({ ...about, state: 'processing', createdAt, createdBy: actor.userId })
          .run()
        tx.insert(pictureCopies).values({ pictureId: id, recipe: 'page', hash, state: 'processing' }).run()
        recordEvent(tx, createdAt, actor, 'picture.uploaded', id, { ...about, sizeBytes: incoming.sizeBytes })
        return id
      })
      return { picture: readPicture(deps, id), isNew: true }
    } catch (error) {
      if (!(error instanceof DuplicatePictureError)) throw error
      return { picture: readPicture(deps, error.id), isNew: false }
    }
  })
}

/** Rolls back the transaction, so that the second file is deleted. */
class DuplicatePictureError extends Error {
  readonly id: string
  constructor(id: string) {
    super('the picture is there already')
    this.id = id
  }
}

const findByContent = (db: Db, sha256: string): string | undefined =>
  db
    .select({ id: pictures.id })
    .from(pictures)
    .where(and(eq(pictures.sha256, sha256), isNull(pictures.removedAt)))
    .get()?.id

/** @throws AppError conflict */
function assertPictureLimit(db: Db): void {
  const count = db.select({ id: pictures.id }).from(pictures).where(isNull(pictures.removedAt)).all().length
  if (count >= maxPictures) throw new AppError('conflict', pictureMessages.tooManyPictures)
}

/**
 * Queues all failed copies of an upload again, both page and hero copies.
 * @throws AppError not_found; conflict when none has failed
 */
export async function retryPicture(deps: Deps, actor: Admin, id: string): Promise<AdminPictureView> {
  if (shippedPictures.has(id)) throw new AppError('conflict', pictureMessages.notFailed)
  await deps.write(tx => {
    loadPicture(tx, id)
    const failed = copiesOf(tx, [id]).filter(({ state }) => state === 'failed')
    if (failed.length === 0) throw new AppError('conflict', pictureMessages.notFailed)
    for (const copies of failed) setCopies(tx, copies, { state: 'processing', fault: null, attempts: 0 })
    recordEvent(tx, nowIso(deps), actor, 'picture.retried', id)
  })
  return readPicture(deps, id)
}
