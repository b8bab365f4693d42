import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { pictureCopies, pictures } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  type CopyFormat,
  copyTypes,
  formatCopyName,
  type PictureCut,
  parseRecipe,
} from '../../../domain/content/picture.ts'
import { hashesOf } from '../../workers/pictures/picture-preparer.ts'

export type PictureRow = typeof pictures.$inferSelect
export type CopiesRow = typeof pictureCopies.$inferSelect

/** An upload that was not removed. */
export function findPicture(db: Db, id: string): PictureRow | undefined {
  return db
    .select()
    .from(pictures)
    .where(and(eq(pictures.id, id), isNull(pictures.removedAt)))
    .get()
}

/** @throws AppError not_found */
export function loadPicture(db: Db, id: string): PictureRow {
  const picture = findPicture(db, id)
  if (!picture) throw new AppError('not_found', 'Picture not found')
  return picture
}

/** The copy rows of these pictures, one per recipe. */
export function copiesOf(db: Db, pictureIds: readonly string[]): CopiesRow[] {
  return db
    .select()
    .from(pictureCopies)
    .where(inArray(pictureCopies.pictureId, [...pictureIds]))
    .all()
}

export type CopiesKey = Pick<CopiesRow, 'pictureId' | 'recipe'>
type CopiesChange = Partial<Omit<CopiesRow, 'pictureId' | 'recipe'>> & Pick<CopiesRow, 'state' | 'fault'>

/**
 * Updates the copy row of a recipe; the page copies also set the picture's own state. False if the picture was removed
 * in the meantime.
 */
export function setCopies(tx: Tx, { pictureId, recipe }: CopiesKey, change: CopiesChange): boolean {
  const { changes } = tx
    .update(pictureCopies)
    .set(change)
    .where(and(eq(pictureCopies.pictureId, pictureId), eq(pictureCopies.recipe, recipe)))
    .run()
  if (recipe === 'page') {
    const { fault, state } = change
    tx.update(pictures).set({ state, fault }).where(eq(pictures.id, pictureId)).run()
  }
  return changes > 0
}

/** The hashes of all cuts that a recipe makes from an original, in the recipe's order. */
export function cutHashes(originalSha256: string, recipeName: string): [first: string, ...others: string[]] {
  const recipe = parseRecipe(recipeName)
  if (!recipe) throw new Error(`unknown recipe ${recipeName}`)
  const [first = '', ...others] = Object.values(hashesOf({ sha256: originalSha256, recipe }))
  return [first, ...others]
}

/** The file names of all copies of these cuts. */
export const copyNames = (cuts: PictureCut[] | null): string[] =>
  (cuts ?? []).flatMap(({ hash, widths }) =>
    formats.flatMap(format => widths[format].map(width => formatCopyName({ hash, width, format }))),
  )
const formats = Object.keys(copyTypes) as CopyFormat[]

/** Whether the copies were deleted because nothing used them (PIC-12); the row keeps their placeholder. */
export const areExpired = ({ cuts, state }: Pick<CopiesRow, 'cuts' | 'state'>): boolean =>
  state === 'ready' && cuts !== null && copyNames(cuts).length === 0

/** All hashes that copies of a row can have: those of existing copies and of copies made next. */
export const hashesOfCopies = (
  row: Pick<CopiesRow, 'cuts' | 'recipe' | 'state'>,
  originalSha256: string,
): string[] =>
  areExpired(row)
    ? []
    : [...cutHashes(originalSha256, row.recipe), ...(row.cuts ?? []).map(({ hash }) => hash)]
