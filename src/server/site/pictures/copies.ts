import type { Db, Tx } from '../../../../db/open.ts'
import { pictureCopies } from '../../../../db/schema.ts'
import { AppError, type FieldErrors } from '../../../domain/common/errors.ts'
import type { ContentDocument } from '../../../domain/content/content.ts'
import { contentMessages } from '../../../domain/content/content-text.ts'
import { formatRecipe, pictureMessages } from '../../../domain/content/picture.ts'
import { picturesOnArrival } from '../../arrival/arrival.ts'
import { shippedPictures } from '../content/pictures.ts'
import { areExpired, copiesOf, cutHashes, findPicture, setCopies } from './records.ts'

type Pictured = Pick<ContentDocument, 'hero' | 'overview' | 'gallery' | 'location' | 'contact'>
/** Where the content shows an upload, and which copies it needs there. */
type Need = { path: string; pictureId: string; recipes: string[] }

/** Whether a picture with this id can be shown: a shipped picture, or an upload that was not removed (PIC-14). */
export function pictureExists(db: Db, id: string): boolean {
  return shippedPictures.has(id) || findPicture(db, id) !== undefined
}

/** The copies of uploads that this content needs, in page order. */
export function neededCopies({ contact, gallery, hero, location, overview }: Pictured): Need[] {
  const forPages = [formatRecipe({ kind: 'page' })]
  // The editor also shows the page copies of the hero picture.
  const forHero = [
    ...forPages,
    ...(['hero', 'social'] as const).map(kind => formatRecipe({ kind, focal: hero.focal })),
  ]
  const shown: [path: string, picture: string | null, recipes: string[]][] = [
    ['hero.picture', hero.picture, forHero],
    ['overview.picture', overview.picture, forPages],
    ...gallery.pictures.map(({ picture }, at): [string, string | null, string[]] => [
      `gallery.pictures.${at}.picture`,
      picture,
      forPages,
    ]),
    ['location.picture', location.picture, forPages],
    ['contact.picture', contact.picture, forPages],
  ]
  return shown.flatMap(([path, pictureId, recipes]) =>
    pictureId === null || shippedPictures.has(pictureId) ? [] : [{ path, pictureId, recipes }],
  )
}

/** The copies of uploads that guests see on arrival (STAY-05). */
export const neededOnArrival = (db: Db): Need[] =>
  picturesOnArrival(db)
    .filter(id => !shippedPictures.has(id))
    .map(pictureId => ({ path: 'arrival', pictureId, recipes: [formatRecipe({ kind: 'page' })] }))

/**
 * Queues the copies that this content needs: pages, hero and shared link. Runs in the transaction that saves the
 * content; if that transaction is rolled back, so is this. Before `unpreparedPictures` checks content that was never
 * saved as a draft, its copies must be requested in a separate transaction.
 */
export function requestCopies(tx: Tx, content: Pictured): void {
  queueCopies(tx, neededCopies(content))
}

/** Queues the copies that are not there yet. */
export function queueCopies(tx: Tx, needs: readonly Need[]): void {
  for (const { pictureId, recipes } of needs) {
    const picture = findPicture(tx, pictureId)
    const there = copiesOf(tx, [pictureId])
    for (const recipe of picture ? recipes : []) {
      const [hash] = cutHashes(picture?.sha256 ?? '', recipe)
      const { pictureId: id, recipe: name } = pictureCopies
      tx.insert(pictureCopies)
        .values({ pictureId, recipe, hash, state: 'processing' })
        .onConflictDoUpdate({ target: [id, name], set: { unusedSince: null } })
        .run()
      const expired = there.find(row => row.recipe === recipe && areExpired(row))
      if (expired) setCopies(tx, expired, { state: 'processing', fault: null, attempts: 0 })
    }
  }
}

/**
 * The pictures in this content that do not exist or could not be prepared, by section and path; copies that nobody
 * requested count as not prepared yet (PIC-14, PIC-15).
 * @throws AppError conflict while a picture is being prepared and none has failed
 */
export function unpreparedPictures(db: Db, content: Pictured): FieldErrors {
  const needs = neededCopies(content)
  const copies = copiesOf(
    db,
    needs.map(({ pictureId }) => pictureId),
  )
  const states = ({ pictureId, recipes }: Need) =>
    recipes.map(recipe => {
      const row = copies.find(each => each.pictureId === pictureId && each.recipe === recipe)
      return row && !areExpired(row) ? row.state : 'processing'
    })
  const faultOf = (need: Need) => {
    // A picture removed since; an older version shows it, because newer versions cannot be read.
    if (!pictureExists(db, need.pictureId)) return contentMessages.noSuchPicture
    return states(need).includes('failed') ? pictureMessages.chooseAnother : undefined
  }
  const faults = needs.flatMap((need): [string, string][] => {
    const fault = faultOf(need)
    return fault === undefined ? [] : [[need.path, fault]]
  })
  if (faults.length > 0) return Object.fromEntries(faults)
  if (needs.some(need => states(need).includes('processing')))
    throw new AppError('conflict', pictureMessages.stillPreparing)
  return {}
}
