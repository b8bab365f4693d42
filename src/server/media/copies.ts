import type { Tx } from '../../../db/open.ts'
import type { ContentDocument } from '../../domain/content.ts'
import type { FieldErrors } from '../../domain/errors.ts'
import type { Deps } from '../kernel/deps.ts'

type Pictured = Pick<ContentDocument, 'hero' | 'overview' | 'gallery' | 'location' | 'contact'>

/** Whether a picture of this id can be shown: a shipped one, or an upload that was not removed (PIC-14). */
export function pictureExists(_db: Tx, _id: string): boolean {
  throw new Error('not built yet')
}

/** Has the copies made that these words need: pages, hero and shared link. Within the write that saves them. */
export function requestCopies(_deps: Deps, _tx: Tx, _words: Pictured): void {
  throw new Error('not built yet')
}

/** Which pictures of these words are not ready to be published, by section and path (PIC-15). @throws AppError conflict while one is being prepared */
export function unpreparedPictures(_tx: Tx, _words: Pictured): FieldErrors {
  throw new Error('not built yet')
}
