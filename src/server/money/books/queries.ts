import { occupancyOf } from '../../../domain/bookings/occupancy.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { fieldError } from '../../../domain/common/errors.ts'
import { type BookLinesInput, bookMessages } from '../../../domain/money/book-input.ts'
import { depositFlows, incomeKeys, movementWhats, taxFlows } from '../../../domain/money/book-lines.ts'
import { yearTables } from '../../../domain/money/books.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { importedWithin } from '../../bookings/imported-nights.ts'
import { blockedNights, bookingsWithin } from '../../bookings/nights.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { view } from '../../kernel/view.ts'
import { type Books, loadBooks, type RecordedMovement } from './records.ts'
import { type BookMovementView, remittanceView } from './views.ts'

/** All tables of a year, which a closing keeps. */
export type BookTables = ReturnType<typeof bookTables>

/**
 * The tables of a year (BOOK-05 to BOOK-19).
 * @throws AppError bad_request for a year without books
 */
export function bookTables(deps: Deps, year: number, books = loadBooks(deps)) {
  const { db } = deps
  if (!yearsOf(deps, books).includes(year)) throw fieldError('year', bookMessages.year)
  const { card, inProperty } = cardTables(deps, books, year)
  const cardCents = { utc: card.grossCents, property: inProperty }
  const { bridge, ...tables } = yearTables(books.movements, { year, taxes: books.taxes, cardCents })
  const stay = { start: `${year}-01-01`, end: `${year + 1}-01-01` }
  const occupancy = occupancyOf(year, {
    bookings: bookingsWithin(db, stay),
    elsewhere: importedWithin(db, stay, todayAt(deps)).filter(({ kind }) => kind !== 'block'),
    blocked: blockedNights(db, stay),
  })
  return { ...tables, card: { ...card, bridge }, occupancy }
}

/** Payments by card alone, nothing taken off: by UTC month, and of the year at the property (BOOK-17). */
function cardTables(deps: Deps, books: Books, year: number) {
  const months = Array.from({ length: 12 }, (_, i) => ({ month: i + 1, grossCents: 0, count: 0 }))
  let inProperty = 0
  for (const { amountCents, feeCents, isFirst, paidAt, providerMethod } of books.payments) {
    if (providerMethod !== 'card') continue
    if (yearOf(deps, paidAt) === year) inProperty += amountCents + feeCents
    const month = Number(paidAt.slice(0, 4)) === year ? months[Number(paidAt.slice(5, 7)) - 1] : undefined
    if (!month) continue
    month.grossCents += amountCents + feeCents
    // A checkout of two is one payment at the provider.
    month.count += Number(isFirst)
  }
  const total = (key: 'grossCents' | 'count') => months.reduce((sum, month) => sum + month[key], 0)
  return { card: { months, grossCents: total('grossCents'), count: total('count') }, inProperty }
}

export const yearOf = ({ config }: Deps, at: string) =>
  Number(dateIn(new Date(at), config.site.timeZone).slice(0, 4))

/** From the first movement to the current year, ascending (BOOK-22). */
export function yearsOf(deps: Deps, { movements }: Books): number[] {
  const last = Number(todayAt(deps).slice(0, 4))
  const first = movements.reduce((year, { date }) => Math.min(year, Number(date.slice(0, 4))), last)
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/**
 * The tax report of a year, with what was paid over (BOOK-15).
 * @throws AppError bad_request for a year without books
 */
export function taxYear(deps: Deps, year: number) {
  const books = loadBooks(deps)
  const { taxReport } = bookTables(deps, year, books)
  const ofYear = books.remittances.filter(({ paidOn }) => paidOn.startsWith(`${year}-`))
  return { year, rules: taxReport, remittances: ofYear.map(row => view(remittanceView, row)) }
}

/**
 * The movements that a figure is the sum of (BOOK-20).
 * @throws AppError bad_request for a year without books or an unknown line
 */
export function bookLines(deps: Deps, { line, month, year }: BookLinesInput) {
  const books = loadBooks(deps)
  if (!yearsOf(deps, books).includes(year)) throw fieldError('year', bookMessages.year)
  if (!linesOf(books).includes(line)) throw fieldError('line', bookMessages.line)
  const within = month === undefined ? String(year) : `${year}-${String(month).padStart(2, '0')}`
  const found = books.movements.filter(
    movement => movement.line === line && movement.date.startsWith(`${within}-`),
  )
  return {
    movements: found.map(movementOf),
    sumCents: found.reduce((sum, { cents }) => sum + cents, 0),
  }
}

/** The lines of the three tables that movements add up to. */
export const linesOf = ({ taxes }: Books): string[] => [
  ...incomeKeys,
  'providerFees',
  ...depositFlows.map(key => `deposits.${key}`),
  ...taxes.flatMap(({ taxRuleId }) => taxFlows.map(key => `taxes.${taxRuleId}.${key}`)),
]

/** A movement as the screen and the file tell it. */
export function movementOf(movement: RecordedMovement): BookMovementView {
  const { account, at, cents, date, line, payment, remittance, what } = movement
  return {
    at,
    date,
    line,
    cents,
    applicationId: account && !account.isDeleted ? account.applicationId : null,
    applicationNumber: account?.number ?? null,
    tenantName: account?.tenantName ?? '',
    what: what === 'payment' && payment ? paymentTypeLabels[payment.type] : movementWhats[what],
    method: payment ? methodOf(payment) : '',
    reference: payment?.stripePaymentIntentId ?? payment?.checkNumber ?? remittance?.reference ?? '',
    description: payment?.description || payment?.notes || '',
  }
}

function methodOf({ method, providerMethod }: { method: string; providerMethod: string | null }): string {
  if (method === 'transfer') return 'Transfer'
  if (providerMethod === null) return 'By hand'
  return providerMethod === 'card' ? 'Card' : 'Bank account'
}
