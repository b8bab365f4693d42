import type { Db, Tx } from '../../../db/open.ts'
import { pictureUses } from '../../domain/content-pictures.ts'
import type { FieldErrors } from '../../domain/errors.ts'
import { pictures } from '../content/pictures.gen.ts'
import type { Deps } from '../kernel/deps.ts'
import * as copies from '../media/copies.ts'

type Pictured = Parameters<typeof pictureUses>[0]

const isShipped = (id: string) => Object.hasOwn(pictures, id)
const hasUploads = (words: Pictured) => [...pictureUses(words).keys()].some(id => !isShipped(id))

// Shipped pictures exist and are ready: nobody has to look.
export const pictureExists = (tx: Tx, id: string): boolean => isShipped(id) || copies.pictureExists(tx, id)
export const requestCopies = (deps: Deps, tx: Tx, words: Pictured): void => {
  if (hasUploads(words)) copies.requestCopies(deps, tx, words)
}
export const unpreparedPictures = (db: Db | Tx, words: Pictured): FieldErrors =>
  hasUploads(words) ? copies.unpreparedPictures(db as Tx, words) : {}
