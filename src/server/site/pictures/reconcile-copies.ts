import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { pictureCopies, pictures } from '../../../../db/schema.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import type { ContentDocument } from '../../../domain/content/content.ts'
import { formatCopyName, type PictureCut } from '../../../domain/content/picture.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { listCopies, removeCopies } from '../../workers/pictures/media-folder.ts'
import { readDraft, readPublishedContent } from '../content/published.ts'
import { neededCopies, neededOnArrival, queueCopies } from './copies.ts'
import { areExpired, type CopiesRow, copiesOf, copyNames, hashesOfCopies, setCopies } from './records.ts'

const unusedForMs = 7 * dayMs

/**
 * Reconciles the rows and files of copies (PIC-12). Copies whose files are missing, or that the content needs but
 * nobody requested, are queued; copies that neither draft nor published content has used for 7 days are deleted, and so
 * are files that belong to no picture. Writes nothing when nothing changes. Only for the process that makes the copies:
 * any other could delete files that are being made.
 */
export async function reconcileCopies(deps: Deps): Promise<void> {
  const { config, db, write } = deps
  const names = new Set((await listCopies(config.uploadsDir)).map(formatCopyName))
  if (hasWork(findPendingChanges(deps, db, deps.siteContent().document, names)))
    await write(tx => {
      const published = readPublishedContent(tx, config).document
      const work = findPendingChanges(deps, tx, published, names)
      for (const row of work.incomplete) setCopies(tx, row, { state: 'processing', fault: null, attempts: 0 })
      if (work.hasMissingCopies) queueCopies(tx, needsOf(tx, published))
      setUnusedSince(tx, work.used, null)
      setUnusedSince(tx, work.unused, nowIso(deps))
      for (const row of work.expired) expire(tx, row)
    })
  const known = new Set(readRows(db).flatMap(row => hashesOfCopies(row, row.sha256)))
  const removed = await removeCopies(config.uploadsDir, ({ hash }) => !known.has(hash))
  if (removed > 0) deps.log.info({ count: removed }, 'copies that belong to no picture were removed')
}

const needsOf = (db: Db, published: ContentDocument) => [
  ...[published, readDraft(db, published).document].flatMap(neededCopies),
  ...neededOnArrival(db),
]

type Row = CopiesRow & { sha256: string }

const readRows = (db: Db): Row[] => {
  const shown = db.select().from(pictures).where(isNull(pictures.removedAt)).all()
  const originals = new Map(shown.map(({ id, sha256 }) => [id, sha256]))
  return copiesOf(db, [...originals.keys()]).map(row => ({
    ...row,
    sha256: originals.get(row.pictureId) ?? '',
  }))
}

const keyOf = ({ pictureId, recipe }: Pick<CopiesRow, 'pictureId' | 'recipe'>) => `${pictureId} ${recipe}`

type PendingChanges = Record<'incomplete' | 'used' | 'unused' | 'expired', Row[]> & {
  hasMissingCopies: boolean
}
const hasWork = ({ hasMissingCopies, ...rows }: PendingChanges) =>
  hasMissingCopies || Object.values(rows).some(found => found.length > 0)

/** The work to do: rows that do not match the content in use or the files in the folder. */
function findPendingChanges(
  deps: Deps,
  db: Db,
  published: ContentDocument,
  names: ReadonlySet<string>,
): PendingChanges {
  const rows = readRows(db)
  const needs = needsOf(db, published)
  const needed = new Set(
    needs.flatMap(({ pictureId, recipes }) => recipes.map(recipe => keyOf({ pictureId, recipe }))),
  )
  const there = new Set(rows.filter(row => !areExpired(row)).map(keyOf))
  const uploads = new Set(rows.map(({ pictureId }) => pictureId))
  const idle = rows.filter(row => !needed.has(keyOf(row)))
  const expiresBefore = new Date(deps.clock.now().getTime() - unusedForMs).toISOString()
  const isOverdue = ({ unusedSince }: Row) => unusedSince !== null && unusedSince <= expiresBefore
  return {
    incomplete: rows.filter(
      ({ cuts, state }) => state === 'ready' && !copyNames(cuts).every(name => names.has(name)),
    ),
    hasMissingCopies: [...needed].some(key => !there.has(key) && uploads.has(key.split(' ')[0] ?? '')),
    used: rows.filter(row => row.unusedSince !== null && needed.has(keyOf(row))),
    unused: idle.filter(({ unusedSince }) => unusedSince === null),
    expired: idle.filter(row => isOverdue(row) && canExpire(row)),
  }
}

/** The list shows details from a picture's page copies, so these expire only after they were made. */
const canExpire = (row: Row) => row.recipe !== 'page' || (row.state === 'ready' && !areExpired(row))

/** Page copies keep their row, because the list still shows their placeholder. */
function expire(tx: Tx, row: Row): void {
  if (row.recipe !== 'page') tx.delete(pictureCopies).where(isCopies(row)).run()
  else setCopies(tx, row, { state: 'ready', fault: null, cuts: (row.cuts ?? []).map(withoutCopies) })
}

const withoutCopies = (cut: PictureCut): PictureCut => ({ ...cut, widths: { avif: [], webp: [], jpg: [] } })

const isCopies = ({ pictureId, recipe }: Row) =>
  and(eq(pictureCopies.pictureId, pictureId), eq(pictureCopies.recipe, recipe))

function setUnusedSince(tx: Tx, rows: readonly Row[], unusedSince: string | null): void {
  for (const row of rows) tx.update(pictureCopies).set({ unusedSince }).where(isCopies(row)).run()
}
