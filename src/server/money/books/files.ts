import { requireAdmin, type SignedIn } from '../../../domain/accounts/access.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import type { BookCsvInput } from '../../../domain/money/book-input.ts'
import {
  balanceRows,
  bridgeLabels,
  cardLabels,
  depositLabels,
  figureRows,
  keysOf,
  lineLabels,
  monthNames,
  nameOfLine,
  nightLabels,
  reportLabels,
  type TableRow,
  taxLabels,
} from '../../../domain/money/book-lines.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { currentSite } from '../../site/content/published.ts'
import type { BooksTable } from '../../workers/pdf/books-pdf.ts'
import { csvLines } from '../payments/revenue.ts'
import { newestClosing } from './closings.ts'
import { type BookTables, bookTables, linesOf, movementOf } from './queries.ts'
import { loadBooks } from './records.ts'

/**
 * A table of a year as CSV, written like that of the revenue; the movements have names (BOOK-21).
 * @throws AppError unauthorized; forbidden, of the movements also without a step-up; bad_request for a year without books
 */
export function booksCsv(deps: Deps, actor: SignedIn, { table, year }: BookCsvInput) {
  requireAdmin(actor)
  if (table === 'lines') requireStepUp(deps, deps.db, actor)
  const rows = csvRows[table](deps, year)
  return { fileName: `${table}-${year}.csv`, content: Buffer.from(`\uFEFF${csvLines(rows)}`) }
}

type CsvRows = (deps: Deps, year: number) => (string | number)[][]

const csvRows: Record<BookCsvInput['table'], CsvRows> = {
  books: (deps, year) => [
    ['Line', ...monthNames, 'Year'],
    ...balances(bookTables(deps, year)).flatMap(({ rows, title }) =>
      rows.map(({ cells, label }) => [title ? `${title}: ${label}` : label, ...cells]),
    ),
  ],
  taxes: (deps, year) => [
    ['Tax', 'Authority', 'Month', ...Object.values(reportLabels)],
    ...bookTables(deps, year).taxReport.flatMap(({ authority, months, name }) =>
      months.map(month => [
        ...[name, authority, monthOf(year, month)],
        ...keysOf(reportLabels).map(key => month[key]),
      ]),
    ),
  ],
  card: (deps, year) => [
    ['Month', 'Gross', 'Count'],
    ...bookTables(deps, year).card.months.map(month => [
      monthOf(year, month),
      month.grossCents,
      String(month.count),
    ]),
  ],
  lines: (deps, year) => {
    const books = loadBooks(deps)
    bookTables(deps, year, books)
    const shown = new Set<string>(linesOf(books))
    const nameOf = nameOfLine(books.taxes)
    return [
      ['Date', 'Application', 'Tenant', 'What', 'Method', 'Reference', 'Description', 'Line', 'Amount'],
      ...books.movements
        .filter(({ date, line }) => shown.has(line) && Number(date.slice(0, 4)) === year)
        .map(movementOf)
        .map(({ applicationNumber, cents, date, description, line, method, reference, tenantName, what }) => [
          ...[date, applicationNumber ?? '', tenantName, what, method, reference, description, nameOf(line)],
          cents,
        ]),
    ]
  },
}

const monthOf = (year: number, { month }: { month: number }) => `${year}-${String(month).padStart(2, '0')}`

/** The tables of sums with their names; the first needs none in front of its lines. */
const balances = ({ deposits, lines, taxes }: BookTables) => [
  { title: '', rows: balanceRows(lines, lineLabels) },
  { title: 'Deposits', rows: balanceRows(deposits, depositLabels) },
  ...taxes.map(({ lines, name }) => ({ title: name, rows: balanceRows(lines, taxLabels) })),
]

/**
 * All tables of a year as a PDF, without names (BOOK-21).
 * @throws AppError unauthorized; forbidden; bad_request for a year without books; unavailable
 */
export async function booksPdf(deps: Deps, actor: SignedIn, year: number) {
  requireAdmin(actor)
  const tables = bookTables(deps, year)
  const closing = newestClosing(deps.db, year)
  const site = currentSite(deps)
  const content = await deps.renderer.booksPdf({
    title: `Books ${year}`,
    notes: closing
      ? [
          `Closed ${formatMoment(closing.closedAt, site.timeZone)}, version ${closing.version}, SHA-256 ${closing.sha256}.`,
        ]
      : [],
    site,
    createdAt: nowIso(deps),
    tables: pdfTables(tables),
  })
  return { fileName: `books-${year}.pdf`, content }
}

const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })
const dollars = (cents: number) => (cents === 0 ? '–' : amount.format(cents / 100).replace('-', '−'))

function pdfTables(tables: BookTables): BooksTable[] {
  const { card, occupancy, taxReport } = tables
  /** A month a row. */
  const byMonth = (
    title: string,
    figures: readonly TableRow[],
    format: (value: number, key: string) => string = dollars,
  ) => ({
    title,
    heads: ['', ...figures.map(({ label }) => label)],
    rows: [...monthNames, 'Year'].map((name, i) => ({
      cells: [name, ...figures.map(({ cells, key }) => format(cells[i] ?? 0, key))],
      isSum: name === 'Year',
    })),
  })
  return [
    ...balances(tables).map(({ rows, title }) => ({
      title: title || 'Income',
      heads: ['', ...monthNames, 'Year'],
      rows: rows.map(({ cells, isSum, label }) => ({ cells: [label, ...cells.map(dollars)], isSum })),
    })),
    ...taxReport.map(({ authority, months, name, total }) =>
      byMonth(`${name}, ${authority}: report`, figureRows(reportLabels, months, total)),
    ),
    byMonth(
      '1099-K: card payments by month in UTC',
      figureRows({ ...cardLabels, count: 'Count' }, card.months, card),
      (value, key) => (key === 'count' ? String(value) : dollars(value)),
    ),
    {
      title: 'From the 1099-K to the income',
      heads: ['', 'Amount'],
      rows: card.bridge.map(({ cents, key }) => ({
        cells: [bridgeLabels[key], dollars(cents)],
        isSum: key === 'income',
      })),
    },
    byMonth(
      'Occupancy',
      figureRows({ ...nightLabels, percent: 'Percent' }, occupancy.months, occupancy.year),
      (value, key) => (key === 'percent' ? value.toFixed(1) : String(value)),
    ),
  ]
}
