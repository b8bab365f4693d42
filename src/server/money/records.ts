import { and, eq, isNull, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../../db/open.ts'
import { applications, charges, installments, lateFees, paymentPlans, payments } from '../../../db/schema.ts'
import { endedStatuses, isEnded } from '../../domain/bookings/application-status.ts'
import { leftToPayCents } from '../../domain/bookings/tenant-step.ts'
import { dateIn } from '../../domain/common/dates.ts'
import { defaultDepositCents } from '../../domain/common/money.ts'
import type { ChargeKind } from '../../domain/money/charge.ts'
import { depositSection } from '../../domain/money/deposit-input.ts'
import {
  balance,
  depositHeldCents,
  type LedgerRow,
  stillKeptCents,
  unpaidDepositCents,
} from '../../domain/money/ledger.ts'
import type { Installment } from '../../domain/money/payment-plan.ts'
import {
  openAmounts,
  type PlanDay,
  type PlanInstallment,
  type PlanMoney,
  planInstallments,
  planMoney,
  planPay,
} from '../../domain/money/payment-plan-state.ts'
import {
  type ApplicationRecord,
  type ApplicationRow,
  dueSince,
  isClosedToAccount,
  selectRecords,
} from '../bookings/records.ts'
import { type Deps, todayAt } from '../kernel/deps.ts'
import type { BalanceFacts, LeftFacts } from '../mail/define-mail.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'
import { sumOfRefunds, withoutLostElsewhere } from './accounts.ts'
import { usualTerms } from './usual-terms.ts'

// How the charges, the plan and the payments of an application are read.

/** What mails say is left to pay; undefined for a booking without charges, or one that has ended. */
export function leftToPay(deps: Deps, db: Db, applicationId: string): LeftFacts | undefined {
  const record = selectRecords(db).where(eq(applications.id, applicationId)).get()
  if (!record || isEnded(record.application.status)) return undefined
  const { balance, onItsWayCents } = moneyOf(db, record.application)
  if (balance.owedCents === 0) return undefined
  const state = planStateOf(deps, db, record)
  const next = state && planPay(state.installments, state.money).next
  const leftCents = leftToPayCents({ balanceCents: balance.balanceCents, onItsWayCents })
  return { leftCents, ...(onItsWayCents > 0 && { onItsWayCents }), ...(next && { next }) }
}

/** The balance in emails about changes, and the part of it that is on its way; in cents. */
export function balanceFacts(db: Db, application: ApplicationRow): BalanceFacts {
  const { balance, onItsWayCents } = moneyOf(db, application)
  return { balanceCents: balance.balanceCents, ...(onItsWayCents > 0 && { onItsWayCents }) }
}

export type ChargeRow = typeof charges.$inferSelect
export type PlanRow = typeof paymentPlans.$inferSelect
export type PaymentRow = typeof payments.$inferSelect
const inStoredOrder = sql`${charges}.rowid`

/** The charges of an application that are not voided, as ordered by `inOrder`. Their sum is what is owed. */
export function activeCharges(db: Db, applicationId: string): ChargeRow[] {
  const active = and(eq(charges.applicationId, applicationId), isNull(charges.voidedAt))
  return inOrder(db.select().from(charges).where(active).orderBy(inStoredOrder).all())
}

/** All charges of an application, voided ones included. */
export function allCharges(db: Db, applicationId: string): ChargeRow[] {
  const ofApplication = eq(charges.applicationId, applicationId)
  return inOrder(db.select().from(charges).where(ofApplication).orderBy(inStoredOrder).all())
}

/** Whether a charge is the rent or deposit of a booking that the owner entered without a lease. */
export const isBookingTerm = ({ createdBy, kind, source }: ChargeRow): boolean =>
  source === 'owner' && createdBy === null && (kind === 'rent' || kind === 'deposit')

/** Whether the owner added the charge later, by hand. */
export const isLater = (row: ChargeRow): boolean =>
  row.source === 'owner' && row.kind !== 'tax' && !isBookingTerm(row)

const ranks: Partial<Record<ChargeKind, number>> = { rent: 0, fee: 1, discount: 2, tax: 3 }
const lastRank = 5

/** Sorts by: rent, fees, discounts and taxes of the lease; later charges by time; deposit. */
function inOrder(rows: ChargeRow[]): ChargeRow[] {
  const rank = ({ kind, source }: ChargeRow) => {
    if (kind === 'deposit') return lastRank
    return kind === 'rent' || source === 'lease' ? (ranks[kind] ?? lastRank - 1) : lastRank - 1
  }
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** The charged deposit in cents; null if none was charged yet, so that the lease's deposit is due instead. */
function chargedDepositCents(db: Db, applicationId: string): number | null {
  const found = db
    .select({
      cents: sql<number | null>`sum(iif(${charges.voidedAt} is null, ${charges.amountCents}, 0))`,
    })
    .from(charges)
    .where(and(eq(charges.applicationId, applicationId), eq(charges.kind, 'deposit')))
    .get()
  return found?.cents ?? null
}

/** The payment plan of an application, if it has one. */
export function planOf(db: Db, applicationId: string): PlanRow | undefined {
  return db.select().from(paymentPlans).where(eq(paymentPlans.applicationId, applicationId)).get()
}

const isLiveOf = (applicationId: string) =>
  and(eq(installments.applicationId, applicationId), isNull(installments.supersededAt))

/** The installments of an application that are not superseded, by position. */
export function liveInstallments(db: Db, applicationId: string): Installment[] {
  return db
    .select()
    .from(installments)
    .where(isLiveOf(applicationId))
    .orderBy(installments.position, installments.dueDate)
    .all()
}

/** The ids of an application's installments whose late fee the owner charged or dismissed (PLAN-34). */
export function decidedLateFees(db: Db, applicationId: string): Set<string> {
  const rows = db
    .select({ id: lateFees.installmentId })
    .from(lateFees)
    .innerJoin(installments, eq(installments.id, lateFees.installmentId))
    .where(isLiveOf(applicationId))
    .all()
  return new Set(rows.map(({ id }) => id))
}

/** Neither voided nor an abandoned checkout, of which a tenant can leave thousands. */
const isOfLedger = and(isNull(payments.voidedAt), ne(payments.status, 'canceled'))

/**
 * The ledger rows of an application, in any status that may count now or later, without what is lost where their money came
 * from. All sums of one application are of these rows, or of `accountRowsOf` with its voided rows.
 */
export function ledgerOf(db: Db, application: Pick<ApplicationRow, 'id' | 'userId'>): PaymentRow[] {
  const ofApplication = eq(payments.applicationId, application.id)
  const rows = db.select().from(payments).where(and(ofApplication, isOfLedger)).all()
  return withoutLostElsewhere(db, application, rows)
}

/** The same of a tenant without an application; also what was paid for deleted ones. */
export function unlinkedLedger(db: Db, userId: string): PaymentRow[] {
  const isUnlinked = and(eq(payments.userId, userId), isNull(payments.applicationId))
  const rows = db.select().from(payments).where(and(isUnlinked, isOfLedger)).all()
  return [...Map.groupBy(rows, row => row.formerApplicationId)].flatMap(([id, own]) =>
    id === null ? own : withoutLostElsewhere(db, { id, userId }, own),
  )
}

/**
 * The money of an application in cents: what its charges and its ledger add up to. Before any deposit is charged, the
 * deposit of its terms, else the usual one, is due; a returned deposit is not due again (CHG-30). `open` is what can be
 * paid without a payment plan: `rentCents` is null until there is a lease or a booking, because any amount can be paid
 * ahead. A deposit that is being processed is not open.
 */
export function moneyOf(db: Db, application: ApplicationRow) {
  const { id } = application
  // Of a cancelled stay no deposit is due, also where none was charged yet.
  const charged = application.status === 'cancelled' ? 0 : chargedDepositCents(db, id)
  const rows = ledgerOf(db, application)
  const { status, totalCents } = application
  // Of a cancelled stay what is still kept.
  const owedCents = status === 'cancelled' ? stillKeptCents(totalCents, rows) : totalCents
  const sums = { owedCents, depositCents: charged ?? 0, rows }
  const money = planMoney(sums)
  const depositCents = charged ?? usualTerms(db, application).depositCents
  const depositDueCents = unpaidDepositCents(depositCents, rows)
  const open = charged === null ? { depositCents: depositDueCents, rentCents: null } : openAmounts(money)
  return {
    rows,
    balance: balance(sums),
    money,
    onItsWayCents: money.onItsWay.depositCents + money.onItsWay.otherCents,
    depositCents,
    depositDueCents,
    open: { ...open, depositCents: money.onItsWay.depositCents > 0 ? 0 : open.depositCents },
  }
}

/** Whether a booking still asks for money: not one that is declined, cancelled, deleted or paid, and not a missing one. */
export function isMoneyOpen(db: Db, applicationId: string | null): boolean {
  if (applicationId === null) return false
  const isStanding = and(isNull(applications.deletedAt), notInArray(applications.status, [...endedStatuses]))
  const application = db
    .select()
    .from(applications)
    .where(and(eq(applications.id, applicationId), isStanding))
    .get()
  if (!application) return false
  const { depositCents, rentCents } = moneyOf(db, application).open
  return rentCents === null || depositCents + rentCents > 0
}

/** Like `moneyOf`, for a tenant's payments without an application: whatever is not held of the usual deposit is due. */
export function unlinkedMoney(db: Db, userId: string) {
  const rows = unlinkedLedger(db, userId).filter(
    ({ formerApplicationId: id }) => id === null || !isClosedToAccount(db, id),
  )
  // Without a stay there is no rent that the deposit could be.
  const depositCents = readSection(db, depositSection).body.amountCents ?? defaultDepositCents
  const depositDueCents = Math.max(0, depositCents - Math.max(0, depositHeldCents(rows)))
  const isComing = planMoney({ owedCents: 0, depositCents, rows }).onItsWay.depositCents > 0
  const open = { depositCents: isComing ? 0 : depositDueCents, rentCents: null }
  return { depositCents, depositDueCents, open }
}

/** A plan and its installments with the ledger's payments allocated to them, as of today. Cents. */
export type PlanState = { plan: PlanRow; day: PlanDay; money: PlanMoney; installments: PlanInstallment[] }

/** The payment plan of an application, computed from its ledger (PLAN-22 to PLAN-25); undefined if there is none. */
export function planStateOf(
  deps: Deps,
  db: Db,
  { application, lease }: Pick<ApplicationRecord, 'application' | 'lease'>,
): PlanState | undefined {
  const plan = planOf(db, application.id)
  if (!plan) return undefined
  const { timeZone } = currentSite(deps)
  const signedAt = dueSince(lease)
  const day = {
    today: todayAt(deps),
    signedOn: signedAt && dateIn(new Date(signedAt), timeZone),
  }
  const { money } = moneyOf(db, application)
  return {
    plan,
    day,
    money,
    installments: planInstallments(liveInstallments(db, application.id), money, day),
  }
}

/** The ledger rows of many applications, by application, without what is lost where their money came from. */
export function ledgersOf(
  db: Db,
  ids: readonly string[],
): Map<string, (LedgerRow & { id: string; requestedRefundCents: number })[]> {
  const { amountCents, applicationId, feeCents, id, lostAmountCents, method, paidAt } = payments
  const { refundedAmountCents, refundedFeeCents, status, type, voidedAt } = payments
  const { correctedAmountCents, paysBill } = payments
  const sums = { amountCents, feeCents, refundedAmountCents, refundedFeeCents, lostAmountCents }
  const rows = db
    .select({
      id,
      userId: payments.userId,
      applicationId,
      type,
      method,
      status,
      ...sums,
      correctedAmountCents,
      paysBill,
      requestedRefundCents: sumOfRefunds(sql`= 'requested'`),
      paidAt,
      voidedAt,
    })
    .from(payments)
    .where(and(isOneOf(applicationId, ids), isOfLedger))
    .all()
  const ledgers = byApplication(rows)
  for (const [id, [row]] of ledgers)
    if (row) ledgers.set(id, withoutLostElsewhere(db, { ...row, id }, ledgers.get(id) ?? []))
  return ledgers
}

/** The charged deposit of many applications in cents, by application; without those that have none. */
export function chargedDeposits(db: Db, ids: readonly string[]): Map<string, number> {
  const { applicationId, amountCents, kind, voidedAt } = charges
  const sums = db
    .select({ applicationId, cents: sql<number>`sum(${amountCents})` })
    .from(charges)
    .where(and(isOneOf(applicationId, ids), isNull(voidedAt), eq(kind, 'deposit')))
    .groupBy(applicationId)
    .all()
  return new Map(sums.map(({ applicationId, cents }) => [applicationId, cents]))
}

/** Passes all ids as one parameter, a JSON list, because there may be more ids than a statement allows parameters. */
export const isOneOf = (column: SQLiteColumn, ids: readonly string[]): SQL =>
  sql`${column} in (select value from json_each(${JSON.stringify(ids)}))`

export function byApplication<Row extends { applicationId: string | null }>(
  rows: readonly Row[],
): Map<string, Row[]> {
  return Map.groupBy(rows, ({ applicationId }) => applicationId ?? '')
}
