import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { pictureCopies, pictures as uploads } from '../../../../db/schema.ts'
import type { HeroPictureView, PictureView } from '../../../domain/content/content-views.ts'
import {
  cutPlansOf,
  type FocalPoint,
  formatRecipe,
  mediaPath,
  type Recipe,
  type Size,
} from '../../../domain/content/picture.ts'
import { pictures, pictures as shipped } from './pictures.gen.ts'

export type ShippedPicture = (typeof pictures)[keyof typeof pictures]

/** The portrait crop of the shipped hero, which is not a separate picture. */
const phoneCut = 'hero-tall'

/** The shipped pictures by id. */
export const shippedPictures: ReadonlyMap<string, ShippedPicture> = new Map(
  Object.entries(pictures).filter(([id]) => id !== phoneCut),
)

/** The preview picture of a shared link: its path, and its size in pixels. */
type SharedPicture = Size & { path: string }

/**
 * The pictures for pages, by id: shipped pictures, and uploads with their finished copies. A picture without copies, or
 * with an unknown id, has no widths, only a placeholder.
 */
export type PictureSource = {
  page: (id: string | null) => PictureView
  hero: (id: string | null, focal: FocalPoint) => HeroPictureView
  /** The picture for shared links; undefined until its copy is ready. */
  social: (id: string | null, focal: FocalPoint) => SharedPicture | undefined
}

/** The shipped hero has fixed crops for any focal point: separate files for phones and for shared links. */
const shippedHero = { id: 'hero', phone: 'hero-tall' } as const
const shippedSocial: SharedPicture = { path: '/og-image.jpg', width: 1200, height: 630 }
const unknownSize = { page: { width: 1600, height: 1067 }, hero: { width: 2400, height: 1350 } }

/** One pixel in the page's background color, used until there is a blurred copy. */
const neutral = 'data:image/gif;base64,R0lGODlhAQABAIAAAOzm2wAAACwAAAAAAQABAAACAkQBADs='

/** The current pictures of the site, from the database. */
export function readPictures(db: Db): PictureSource {
  const page = (id: string | null): PictureView => {
    const found = shippedPictures.get(id ?? '')
    if (found) return shippedView(id ?? '', found)
    const [whole] = uploadedCuts(db, id, { kind: 'page' }, unknownSize.page)
    return whole
  }
  return {
    page,
    hero(id, focal) {
      if (id === shippedHero.id) {
        return { ...page(id), phone: shippedView(id, shipped[shippedHero.phone]) }
      }
      // Other shipped pictures have no portrait crop.
      if (shippedPictures.has(id ?? '')) return { ...page(id), phone: page(id) }
      const [whole, phone = whole] = uploadedCuts(db, id, { kind: 'hero', focal }, unknownSize.hero)
      if (whole.jpeg.length > 0) return { ...whole, phone }
      // Until its crops are ready, a preview shows the uncropped picture.
      const uncut = page(id)
      return uncut.jpeg.length > 0 ? { ...uncut, phone: uncut } : { ...whole, phone }
    },
    social(id, focal) {
      if (id === shippedHero.id) return shippedSocial
      const view = shippedPictures.has(id ?? '')
        ? page(id)
        : uploadedCuts(db, id, { kind: 'social', focal }, shippedSocial)[0]
      const width = view.jpeg.at(-1)
      if (width === undefined) return undefined
      return {
        path: `${view.path}-${width}.jpg`,
        width,
        height: Math.round((width * view.height) / view.width),
      }
    },
  }
}

function shippedView(id: string, { jpegWidths, widths, ...rest }: ShippedPicture): PictureView {
  return { id, ...rest, avif: [...widths], webp: [...widths], jpeg: [...jpegWidths] }
}

/** The crops of a recipe, in the order of `cutPlansOf`. */
function uploadedCuts(
  db: Db,
  id: string | null,
  recipe: Recipe,
  unknown: Size,
): [PictureView, ...PictureView[]] {
  const row = id === null ? undefined : findUpload(db, id, recipe)
  const views = cutPlansOf(recipe).map(({ cut, ratio }): PictureView => {
    const made = row?.cuts?.find(each => each.cut === cut)
    const isReady = row?.state === 'ready'
    if (!made) {
      const size = ratio ?? (row ? { width: row.width, height: row.height } : unknown)
      return { id: id ?? '', path: '', ...size, avif: [], webp: [], jpeg: [], placeholder: neutral }
    }
    const { avif, jpg, webp } = isReady ? made.widths : { avif: [], jpg: [], webp: [] }
    const { hash, height, placeholder, width } = made
    return { id: id ?? '', path: `${mediaPath}${hash}`, width, height, avif, webp, jpeg: jpg, placeholder }
  })
  return views as [PictureView, ...PictureView[]]
}

const findUpload = (db: Db, id: string, recipe: Recipe) =>
  db
    .select({
      width: uploads.width,
      height: uploads.height,
      cuts: pictureCopies.cuts,
      state: pictureCopies.state,
    })
    .from(uploads)
    .leftJoin(
      pictureCopies,
      and(eq(pictureCopies.pictureId, uploads.id), eq(pictureCopies.recipe, formatRecipe(recipe))),
    )
    .where(and(eq(uploads.id, id), isNull(uploads.removedAt)))
    .get()
