import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { bookClosings } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { type BookTables, bookTables, bookYear } from './queries.ts'
import { loadBooks } from './records.ts'

/**
 * Keeps all tables of a year that is over, as the next version; nothing is locked (BOOK-23, BOOK-24).
 * @throws AppError bad_request for a year without books; conflict for one that is not over
 */
export function closeYear(deps: Deps, actor: Admin, year: number) {
  return deps.write(tx => {
    const totals = bookTables({ ...deps, db: tx }, year)
    if (Number(dateIn(deps.clock.now(), deps.config.site.timeZone).slice(0, 4)) <= year)
      throw new AppError('conflict', `The year ${year} is not over yet.`)
    const version = (newestClosing(tx, year)?.version ?? 0) + 1
    const [closedAt, id, hash] = [nowIso(deps), randomUUID(), sha256(JSON.stringify(totals))]
    tx.insert(bookClosings)
      .values({ id, year, version, closedAt, closedBy: actor.userId, totals, sha256: hash })
      .run()
    recordEvent(tx, closedAt, actor, 'books.closed', id, { year, version })
    return { year, version, closedAt, sha256: hash }
  })
}

/** The newest closing of a year. */
export function newestClosing(db: Db, year: number) {
  return db
    .select()
    .from(bookClosings)
    .where(eq(bookClosings.year, year))
    .orderBy(desc(bookClosings.version))
    .limit(1)
    .get()
}

/**
 * A year with its newest closing, and what has changed since.
 * @throws AppError bad_request for a year without books
 */
export function closedYear(deps: Deps, year: number) {
  const books = loadBooks(deps)
  const tables = bookTables(deps, year, books)
  const newest = newestClosing(deps.db, year)
  const closing = newest && {
    version: newest.version,
    closedAt: newest.closedAt,
    sha256: newest.sha256,
    differences: differences(newest.totals as BookTables, tables),
  }
  return { ...bookYear(deps, year, books, tables), closing: closing ?? null }
}

function differences(then: BookTables, now: BookTables) {
  const [before, after] = [figuresOf(then), figuresOf(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(name => {
    const [thenCents, nowCents] = [before.get(name) ?? 0, after.get(name) ?? 0]
    if (thenCents === nowCents) return []
    const [table = '', key = '', month] = name.split(' ')
    return [{ table, key, month: Number(month), thenCents, nowCents }]
  })
}

/** Each figure of each month by table, line and month. */
function figuresOf({ card, deposits, lines, occupancy, taxes, taxReport }: BookTables): Map<string, number> {
  const figures = new Map<string, number>()
  const addRows = (table: string, prefix: string, rows: readonly { key: string; months: number[] }[]) => {
    for (const { key, months } of rows)
      for (const [i, cents] of months.entries()) figures.set(`${table} ${prefix}${key} ${i + 1}`, cents)
  }
  const addMonths = (table: string, prefix: string, months: readonly Record<'month' | string, number>[]) => {
    for (const { month, ...values } of months)
      for (const [key, value] of Object.entries(values))
        figures.set(`${table} ${prefix}${key} ${month}`, value)
  }
  addRows('lines', '', lines)
  addRows('deposits', '', deposits)
  for (const { lines, taxRuleId } of taxes) addRows('taxes', `${taxRuleId}.`, lines)
  for (const { months, taxRuleId } of taxReport) addMonths('report', `${taxRuleId}.`, months)
  addMonths('card', '', card.months)
  const nights = occupancy.months.map(({ percent: _, ...month }) => month)
  addMonths('occupancy', '', nights)
  return figures
}
