import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { pictureMessages } from '../../../domain/content/picture.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { shippedPictures } from '../content/pictures.ts'
import { readPicture } from './queries.ts'
import { copiesOf, loadPicture, setCopies } from './records.ts'
import type { AdminPictureView } from './views.ts'

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
