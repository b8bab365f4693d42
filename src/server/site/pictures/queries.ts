import { desc, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { pictures } from '../../../../db/schema.ts'
import { type ContentDocument, type SectionName, sectionNames } from '../../../domain/content/content.ts'
import { formatCopyName, mediaPath, pictureUses } from '../../../domain/content/picture.ts'
import type { Deps } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { type ShippedPicture, shippedPictures } from '../content/pictures.ts'
import { readDraft } from '../content/published.ts'
import { type CopiesRow, copiesOf, loadPicture, type PictureRow } from './records.ts'
import { type AdminPictureView, adminPictureView } from './views.ts'

/** The sections of draft and published content that show a picture, in page order. */
export function readUses(db: Db, published: ContentDocument): (id: string) => SectionName[] {
  const uses = [published, readDraft(db, published).document].map(pictureUses)
  return id => sectionNames.filter(name => uses.some(used => used.get(id)?.includes(name)))
}

/** Uploads, newest first, then the shipped pictures. */
export function listPictures(deps: Deps): AdminPictureView[] {
  const usesOf = readUses(deps.db, deps.siteContent().document)
  const rows = deps.db
    .select()
    .from(pictures)
    .where(isNull(pictures.removedAt))
    .orderBy(desc(pictures.createdAt), desc(sql`rowid`))
    .all()
  const pageCopies = new Map(
    copiesOf(
      deps.db,
      rows.map(({ id }) => id),
    )
      .filter(({ recipe }) => recipe === 'page')
      .map(row => [row.pictureId, row]),
  )
  return [
    ...rows.map(row => presentUpload(row, pageCopies.get(row.id), usesOf(row.id))),
    ...[...shippedPictures].map(([id, picture]) => presentShipped(id, picture, usesOf(id))),
  ]
}

/** One picture of the list. @throws AppError not_found */
export function readPicture(deps: Deps, id: string): AdminPictureView {
  const usedIn = readUses(deps.db, deps.siteContent().document)(id)
  const shipped = shippedPictures.get(id)
  if (shipped) return presentShipped(id, shipped, usedIn)
  const row = loadPicture(deps.db, id)
  return presentUpload(
    row,
    copiesOf(deps.db, [id]).find(({ recipe }) => recipe === 'page'),
    usedIn,
  )
}

function presentUpload(
  row: PictureRow,
  copies: CopiesRow | undefined,
  usedIn: SectionName[],
): AdminPictureView {
  const [cut] = copies?.cuts ?? []
  const [smallest] = cut?.widths.webp ?? []
  const thumbnail =
    cut && smallest !== undefined && row.state === 'ready'
      ? mediaPath + formatCopyName({ hash: cut.hash, width: smallest, format: 'webp' })
      : null
  const placeholder = cut?.placeholder ?? null
  return view(adminPictureView, { ...row, shipped: false, usedIn, thumbnail, placeholder })
}

function presentShipped(
  id: string,
  { height, path, placeholder, width, widths }: ShippedPicture,
  usedIn: SectionName[],
): AdminPictureView {
  return {
    _id: id,
    id,
    name: id,
    width,
    height,
    state: 'ready',
    fault: null,
    shipped: true,
    usedIn,
    thumbnail: `${path}-${Math.min(...widths)}.webp`,
    placeholder,
    createdAt: null,
  }
}
