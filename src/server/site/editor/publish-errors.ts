import type { Db, Tx } from '../../../../db/open.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import { publishFaults } from '../../../domain/content/content-faults.ts'
import type { Deps } from '../../kernel/deps.ts'
import { unparsedTexts } from '../content/parsed-texts.ts'
import { unpreparedPictures } from '../pictures/copies.ts'
import type { DraftState } from './draft-state.ts'

const unreadableMessage =
  'The words that were saved here could not be read. Save this part again, or undo its changes.'

/** All errors that prevent publishing, by section and path (SITE-05, SITE-12, SITE-32, PIC-15, FIX-30). */
export function publishErrorsOf(
  { config }: Pick<Deps, 'config'>,
  db: Db | Tx,
  {
    content,
    published,
    unreadable = [],
  }: Pick<DraftState, 'content' | 'published'> & Partial<Pick<DraftState, 'unreadable'>>,
): FieldErrors {
  return {
    ...publishFaults(content, { isProduction: config.mode === 'production' }),
    ...failedPictures(db, content),
    ...unparsedTexts(db, content, published.content),
    ...Object.fromEntries(unreadable.map(name => [name, unreadableMessage])),
  }
}

/** A picture that is still being prepared is no error: the owner only has to wait. */
function failedPictures(db: Db | Tx, content: DraftState['content']): FieldErrors {
  try {
    return unpreparedPictures(db, content)
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return {}
    throw error
  }
}
