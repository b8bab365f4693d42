import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { rates } from '../../../db/schema.ts'
import type { Admin } from '../../domain/accounts/access.ts'
import { addDays, datesInRange, formatShortDate } from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { centsToDollars, dollarsToCents } from '../../domain/common/money.ts'
import { withId } from '../../domain/common/record-ids.ts'
import { requireUnchanged } from '../../domain/content/content-draft.ts'
import { type Rate, type RateInput, rateView } from '../../domain/money/rate.ts'
import { rateForNight } from '../../domain/money/rent-quote.ts'
import { requireStepUp } from '../auth/factors/step-up.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import type { NoticeCheck } from '../kernel/notice.ts'
import { lastSaved, view } from '../kernel/view.ts'
import { listAvailability } from './availability.ts'

/** Active periods by start date, for the public table, estimates and default rents. */
export function listActiveRates(db: Db): Rate[] {
  const rows = select(db).where(eq(rates.isActive, true)).all()
  return rows.map(({ updatedAt: _, ...row }) => toRate(row))
}

/** All periods, including inactive ones, for the owner. */
export function listAllRates(db: Db): Rate[] {
  return select(db).all().map(toRate)
}

/** @throws AppError forbidden without a step-up: visitors read the period's name (FIX-32) */
export function createRate(deps: Deps, actor: Admin, input: RateInput): Promise<Rate> {
  const at = nowIso(deps)
  return deps.write(tx => {
    requireStepUp(deps, tx, actor)
    const row = tx
      .insert(rates)
      .values({ id: randomUUID(), ...toColumns(input), createdAt: at, updatedAt: at })
      .returning()
      .get()
    recordEvent(tx, at, actor, 'rate.created', row.id, { period: row.period })
    return toRate(row)
  })
}

/**
 * Replaces a period; `seen` is the `updatedAt` of what was changed.
 * @throws AppError not_found for an unknown id; forbidden for another name of the period without a step-up; conflict if it
 * was saved meanwhile
 */
export function updateRate(
  deps: Deps,
  actor: Admin,
  id: string,
  input: RateInput,
  seen?: string,
): Promise<Rate> {
  const at = nowIso(deps)
  return deps.write(tx => {
    const before = select(tx).where(eq(rates.id, id)).get()
    if (!before) throw rateNotFound()
    requireUnchanged(before, seen)
    if (before.period !== input.period) requireStepUp(deps, tx, actor)
    const row = tx
      .update(rates)
      .set({ ...toColumns(input), updatedAt: at })
      .where(eq(rates.id, id))
      .returning()
      .get()
    recordEvent(tx, at, actor, 'rate.updated', id, { period: row.period })
    return toRate(row)
  })
}

/** Deletes a rate; existing leases keep their rent. @throws AppError not_found for an unknown id */
export function removeRate(deps: Deps, actor: Admin, id: string): Promise<void> {
  return deps.write(tx => {
    const row = tx.delete(rates).where(eq(rates.id, id)).returning().get()
    if (!row) throw rateNotFound()
    recordEvent(tx, nowIso(deps), actor, 'rate.removed', id, { period: row.period })
  })
}

const select = (db: Db) =>
  db.select().from(rates).orderBy(asc(rates.startDate), asc(rates.endDate), asc(rates.id)).$dynamic()

const rateNotFound = () => new AppError('not_found', 'Rate not found')

const toCents = (dollars: number | null) => (dollars === null ? null : dollarsToCents(dollars))
const toDollars = (cents: number | null) => (cents === null ? null : centsToDollars(cents))

function toColumns({ monthly, weekly, nightly, weekendNight, ...rest }: RateInput) {
  return {
    ...rest,
    monthlyCents: dollarsToCents(monthly),
    weeklyCents: toCents(weekly),
    nightlyCents: toCents(nightly),
    weekendNightCents: toCents(weekendNight),
  }
}

/** The owner's view, with the time that a save sends back. */
export const ownRate = rateView.extend(lastSaved)
export const savedRate = withId.extend(lastSaved)

const toRate = (row: Omit<typeof rates.$inferSelect, 'updatedAt'> & { updatedAt?: string }): Rate =>
  view(ownRate, {
    ...row,
    monthly: centsToDollars(row.monthlyCents),
    weekly: toDollars(row.weeklyCents),
    nightly: toDollars(row.nightlyCents),
    weekendNight: toDollars(row.weekendNightCents),
  })

const daysAhead = 183

/** The next free nights without a rate, for which nobody can apply (LOOK-58). A demo has rates from its start. */
export const missingRates: NoticeCheck = deps => {
  const { config, db } = deps
  if (config.mode === 'demo') return []
  const today = todayAt(deps)
  const end = addDays(today, daysAhead)
  const taken = new Set(
    listAvailability(deps, { startDate: today, endDate: end }).flatMap(({ date, isAvailable }) =>
      isAvailable ? [] : [date],
    ),
  )
  const rates = listActiveRates(db)
  const isPriced = (night: string) => taken.has(night) || rateForNight(rates, night) !== undefined
  const nights = datesInRange({ start: today, end })
  const first = nights.find(night => !isPriced(night))
  if (first === undefined) return []
  const priced = nights.find(night => night > first && isPriced(night))
  const gap = priced
    ? `for nights from ${formatShortDate(first)} to ${formatShortDate(addDays(priced, -1))}`
    : `for nights from ${formatShortDate(first)} on`
  return [
    {
      id: 'missing-rates',
      tone: 'warning',
      title: rates.length === 0 ? 'There are no rates yet' : 'Rates are missing',
      detail: `Nobody can apply ${gap}: guests can only ask for a price.`,
      action: { kind: 'rates' },
    },
  ]
}
