import type { z } from 'zod'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { requireAdmin } from '../../../domain/accounts/access.ts'
import { formatMoment } from '../../../domain/common/dates.ts'
import type { bookCsvInput } from '../../../domain/money/book-input.ts'
import {
  type BookRow,
  bridgeLabels,
  depositLabels,
  isSumKey,
  lineLabels,
  monthNames,
  nameOfLine,
  reportLabels,
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
export function booksCsv(deps: Deps, actor: SignedIn, { table, year }: z.output<typeof bookCsvInput>) {
  requireAdmin(actor)
  if (table === 'lines') requireStepUp(deps, deps.db, actor)
  const rows = csvRows[table](deps, year)
  return { fileName: `${table}-${year}.csv`, content: Buffer.from(`\uFEFF${csvLines(rows)}`) }
}

type CsvRows = (deps: Deps, year: number) => (string | number)[][]

const csvRows: Record<z.output<typeof bookCsvInput>['table'], CsvRows> = {
  books: (deps, year) => [
    ['Line', ...monthNames, 'Year'],
    ...balances(bookTables(deps, year)).flatMap(({ rows, title }) =>
      rows.map(({ label, months, yearCents }) => [
        title ? `${title}: ${label}` : label,
        ...months,
        yearCents,
      ]),
    ),
  ],
  taxes: (deps, year) => [
    ['Tax', 'Authority', 'Month', ...Object.values(reportLabels)],
    ...bookTables(deps, year).taxReport.flatMap(({ authority, months, name }) =>
      months.map(month => [name, authority, monthOf(year, month), ...reportCells(month)]),
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
        .map(movement => movementOf(books, movement))
        .map(({ applicationNumber, cents, date, description, line, method, reference, tenantName, what }) => [
          ...[date, applicationNumber ?? '', tenantName, what, method, reference, description, nameOf(line)],
          cents,
        ]),
    ]
  },
}

const monthOf = (year: number, { month }: { month: number }) => `${year}-${String(month).padStart(2, '0')}`

type Report = BookTables['taxReport'][number]['total']
const reportCells = ({ exemptCents, grossCents, paidOverCents, taxableCents, taxCents }: Report) => [
  ...[grossCents, exemptCents, taxableCents, taxCents, paidOverCents],
]

/** The tables of sums with their names; the first needs none in front of its lines. */
function balances({ deposits, lines, taxes }: BookTables) {
  const named = <Key extends string>(rows: readonly BookRow<Key>[], labels: Record<Key, string>) =>
    rows.map(row => ({ ...row, label: labels[row.key] }))
  return [
    { title: '', rows: named(lines, lineLabels) },
    { title: 'Deposits', rows: named(deposits, depositLabels) },
    ...taxes.map(({ lines, name }) => ({ title: name, rows: named(lines, taxLabels) })),
  ]
}

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
    tables: pdfTables(tables, year),
  })
  return { fileName: `books-${year}.pdf`, content }
}

const amount = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })
const dollars = (cents: number) => amount.format(cents / 100).replace('-', '−')

function pdfTables(tables: BookTables, year: number): BooksTable[] {
  const { card, occupancy, taxReport } = tables
  const nights = [
    ...occupancy.months.map(month => ({ ...month, name: monthOf(year, month) })),
    { ...occupancy.year, name: 'Year' },
  ]
  return [
    ...balances(tables).map(({ rows, title }) => ({
      title: title || 'Income',
      heads: ['', ...monthNames, 'Year'],
      rows: rows.map(({ key, label, months, yearCents }) => ({
        cells: [label, ...[...months, yearCents].map(dollars)],
        isSum: isSumKey(key),
      })),
    })),
    ...taxReport.map(({ authority, months, name, total }) => ({
      title: `${name}, ${authority}: report`,
      heads: ['', ...Object.values(reportLabels)],
      rows: [
        ...months.map(month => ({ cells: [monthOf(year, month), ...reportCells(month).map(dollars)] })),
        { cells: ['Year', ...reportCells(total).map(dollars)], isSum: true },
      ],
    })),
    {
      title: '1099-K: card payments by month in UTC',
      heads: ['', 'Gross', 'Count'],
      rows: [
        ...card.months.map(month => ({
          cells: [monthOf(year, month), dollars(month.grossCents), String(month.count)],
        })),
        { cells: ['Year', dollars(card.grossCents), String(card.count)], isSum: true },
      ],
    },
    {
      title: 'From the 1099-K to the income',
      heads: ['', 'Amount'],
      rows: card.bridge.map(({ cents, key }) => ({
        cells: [bridgeLabels[key], dollars(cents)],
        isSum: key === 'income',
      })),
    },
    {
      title: 'Occupancy',
      heads: ['', 'Nights', 'Booked', 'Elsewhere', 'Blocked', 'Open', 'Percent', 'Arrivals'],
      rows: nights.map(({ arrivals, blocked, booked, elsewhere, name, nights, open, percent }) => ({
        cells: [
          name,
          ...[nights, booked, elsewhere, blocked, open].map(String),
          percent.toFixed(1),
          String(arrivals),
        ],
        isSum: name === 'Year',
      })),
    },
  ]
}
