import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { pictureCopies, pictures } from '../../../db/schema.ts'
import type { ContentDocument } from '../../domain/content.ts'
import { formatCopyName, type PictureCut } from '../../domain/picture.ts'
import { readDraft } from '../content/draft.ts'
import { readWords } from '../content/published.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { listCopies, removeCopies } from '../pictures/media-folder.ts'
import { neededCopies, requestCopies } from './copies.ts'
import { areExpired, type CopiesRow, copiesOf, copyNames, hashesOfCopies, setCopies } from './records.ts'

const unusedForMs = 7 * 24 * 60 * 60_000

/**
 * Brings rows and files of copies together (PIC-12): copies whose files are gone, or that words need and nobody asked
 * for, wait to be made; those that neither draft nor published words have used for 7 days go, and so do files that belong
 * to no picture. It writes nothing where nothing changes. Only for what also makes the copies: it could take away what
 * another one is making.
 */
export async function keepCopies(deps: Deps): Promise<void> {
  const { config, db, write } = deps
  const names = new Set((await listCopies(config.uploadsDir)).map(formatCopyName))
  if (hasWork(upkeepOf(deps, db, deps.words().document, names)))
    await write(tx => {
      const published = readWords(tx, config).document
      const work = upkeepOf(deps, tx, published, names)
      for (const row of work.incomplete) setCopies(tx, row, { state: 'processing', fault: null, attempts: 0 })
      if (work.lacksSome)
        for (const words of [published, readDraft(tx, published).document]) requestCopies(deps, tx, words)
      setUnusedSince(tx, work.used, null)
      setUnusedSince(tx, work.unused, nowIso(deps))
      for (const row of work.expired) expire(tx, row)
    })
  const known = new Set(readRows(db).flatMap(row => hashesOfCopies(row, row.sha256)))
  const removed = await removeCopies(config.uploadsDir, ({ hash }) => !known.has(hash))
  if (removed > 0) deps.log.info({ count: removed }, 'copies that belong to no picture were removed')
}

type Row = CopiesRow & { sha256: string }

const readRows = (db: Db | Tx): Row[] => {
  const shown = db.select().from(pictures).where(isNull(pictures.removedAt)).all()
  const originals = new Map(shown.map(({ id, sha256 }) => [id, sha256]))
  return copiesOf(db, [...originals.keys()]).map(row => ({
    ...row,
    sha256: originals.get(row.pictureId) ?? '',
  }))
}

const keyOf = ({ pictureId, recipe }: Pick<CopiesRow, 'pictureId' | 'recipe'>) => `${pictureId} ${recipe}`

type Upkeep = Record<'incomplete' | 'used' | 'unused' | 'expired', Row[]> & { lacksSome: boolean }
const hasWork = ({ lacksSome, ...rows }: Upkeep) =>
  lacksSome || Object.values(rows).some(found => found.length > 0)

/** What is to be done: the rows that differ from what words use and from what is in the folder. */
function upkeepOf(deps: Deps, db: Db | Tx, published: ContentDocument, names: ReadonlySet<string>): Upkeep {
  const rows = readRows(db)
  const needs = [published, readDraft(db, published).document].flatMap(neededCopies)
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
    lacksSome: [...needed].some(key => !there.has(key) && uploads.has(key.split(' ')[0] ?? '')),
    used: rows.filter(row => row.unusedSince !== null && needed.has(keyOf(row))),
    unused: idle.filter(({ unusedSince }) => unusedSince === null),
    expired: idle.filter(row => isOverdue(row) && canExpire(row)),
  }
}

/** A picture's copies for pages say what the list shows of it, so they go only once they are made. */
const canExpire = (row: Row) => row.recipe !== 'page' || (row.state === 'ready' && !areExpired(row))

/** The list goes on showing the placeholder of the copies for pages, where there is nothing else left. */
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
