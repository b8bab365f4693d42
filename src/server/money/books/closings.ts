import { randomUUID } from 'node:crypto'
import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { bookClosings, payments } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  balanceRows,
  cardLabels,
  depositLabels,
  figureRows,
  lineLabels,
  nightLabels,
  reportLabels,
  type TableRow,
  taxLabels,
} from '../../../domain/money/book-lines.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { isNotTrial } from '../../kernel/trial.ts'
import { sha256 } from '../../lib/sha256.ts'
import { disputedAmounts } from '../payments/reconcile/disputes.ts'
import { type BookTables, bookTables, yearOf, yearsOf } from './queries.ts'
import { loadBooks } from './records.ts'

/**
 * Keeps all tables of a year that is over, as the next version; nothing is locked (BOOK-23, BOOK-24).
 * @throws AppError bad_request for a year without books; conflict for one that is not over
 */
export function closeYear(deps: Deps, actor: Admin, year: number) {
  return deps.write(tx => {
    const totals = bookTables({ ...deps, db: tx }, year)
    if (Number(todayAt(deps).slice(0, 4)) <= year)
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
 * A year with its newest closing, and what has changed since (BOOK-12, BOOK-13, BOOK-24).
 * @throws AppError bad_request for a year without books
 */
export function closedYear(deps: Deps, year: number) {
  const books = loadBooks(deps)
  const tables = bookTables(deps, year, books)
  const { deposits, lines, occupancy, taxes } = tables
  const newest = newestClosing(deps.db, year)
  const unknown = books.payments.filter(
    ({ isFirst, paidAt, providerFeeCents, providerMethod }) =>
      isFirst && providerMethod !== null && providerFeeCents === null && yearOf(deps, paidAt) === year,
  )
  return {
    year,
    years: yearsOf(deps, books),
    lines,
    deposits,
    occupancy,
    taxes: taxes.map(({ basisPoints: _, ...tax }) => tax),
    inDisputeCents: disputedAmounts(deps.db, isNotTrial(payments.userId)).open.amount,
    unknownFees: unknown.length,
    closing: newest
      ? {
          version: newest.version,
          closedAt: newest.closedAt,
          sha256: newest.sha256,
          differences: differences(newest.totals as BookTables, tables),
        }
      : null,
  }
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
function figuresOf({ card, deposits, lines, occupancy, taxes, taxReport }: BookTables) {
  const figures = new Map<string, number>()
  const add = (table: string, rows: readonly TableRow[], prefix = '') => {
    for (const { cells, key } of rows)
      for (const [i, value] of cells.slice(0, 12).entries())
        if (key !== 'percent') figures.set(`${table} ${prefix}${key} ${i + 1}`, value)
  }
  add('lines', balanceRows(lines, lineLabels))
  add('deposits', balanceRows(deposits, depositLabels))
  for (const { lines, taxRuleId } of taxes) add('taxes', balanceRows(lines, taxLabels), `${taxRuleId}.`)
  for (const { months, taxRuleId, total } of taxReport)
    add('report', figureRows(reportLabels, months, total), `${taxRuleId}.`)
  add('card', figureRows(cardLabels, card.months, card))
  add('occupancy', figureRows(nightLabels, occupancy.months, occupancy.year))
  return figures
}
