import { and, desc, eq, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { preparedQuery } from '../../../db/prepared.ts'
import { applications, payments, users } from '../../../db/schema.ts'
import { canView, type SignedIn } from '../../domain/accounts/access.ts'
import { AppError } from '../../domain/common/errors.ts'
import { defaultDepositCents } from '../../domain/common/money.ts'
import { type Balance, balance, depositHeldCents, unpaidDepositCents } from '../../domain/money/ledger.ts'
import { openAmounts, planMoney } from '../../domain/money/payment-plan-state.ts'
import {
  type ApplicationRow,
  applicationNotFound,
  isClosedToAccount,
  loadRecord,
  type OwnApplication,
} from '../bookings/records.ts'
import { chargedDepositCents } from './records.ts'

export type PaymentRow = typeof payments.$inferSelect
type ReadDb = Pick<Db, 'select'>

/** Literals, not bound parameters, so that SQLite uses the partial indexes with the same conditions. */
export const isUnfinished = sql`${payments.status} in ('pending', 'processing')`
export const isReturned = sql`${payments.status} = 'returned'`

export const paymentNotFound = () => new AppError('not_found', 'Payment not found')

export function findPayment(db: ReadDb, id: string): PaymentRow | undefined {
  return db.select().from(payments).where(eq(payments.id, id)).get()
}

/** Whether the actor may see a payment; not one of a booking, also a deleted one, that is closed to them (FIX-27). */
export function canViewPayment(
  db: ReadDb,
  actor: SignedIn,
  { applicationId, formerApplicationId, userId }: PaymentRow,
): boolean {
  const booking = applicationId ?? formerApplicationId
  if (actor.role === 'admin' || booking === null) return canView(actor, userId)
  return canView(actor, userId) && !isClosedToAccount(db, booking)
}

/** The tenant's own application. @throws AppError not_found also for another tenant's application */
export function loadOwn(db: ReadDb, actor: SignedIn, id: string): OwnApplication {
  const record = loadRecord(db, actor, id)
  if (record.application.userId !== actor.userId) throw applicationNotFound()
  return record
}

/** Whether the payment's checkout must be closed because the payment was canceled or removed. */
export function isCancelRequested({ cancelRequestedAt, voidedAt }: PaymentRow): boolean {
  return cancelRequestedAt !== null || voidedAt !== null
}

/** All ledger rows of an application that are not voided, in any status. */
export function ledgerOf(db: ReadDb, applicationId: string): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.applicationId, applicationId), isNull(payments.voidedAt)))
    .all()
}

/** All ledger rows of a tenant that are not voided, with or without an application. */
export function ledgerOfUser(db: ReadDb, userId: string): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), isNull(payments.voidedAt)))
    .all()
}

/** Owed, paid and balance of an application in cents; owed is the sum of its charges. */
export function balanceOf(
  db: ReadDb,
  { id, totalCents }: ApplicationRow,
  rows: readonly PaymentRow[],
): Balance {
  return balance({ owedCents: totalCents, depositCents: chargedDepositCents(db, id) ?? 0, rows })
}

/**
 * What is still due of the deposit in cents, with the rows behind it: its charges, or the default deposit before there
 * are any, minus what was credited (CHG-30). For an application, a returned deposit is not due again; without one,
 * whatever is not held is due.
 */
export function depositDue(db: ReadDb, userId: string, applicationId: string | null) {
  const charged = applicationId === null ? null : chargedDepositCents(db, applicationId)
  const depositCents = charged ?? defaultDepositCents
  if (applicationId !== null) {
    const rows = ledgerOf(db, applicationId)
    return { depositCents, dueCents: unpaidDepositCents(depositCents, rows), rows }
  }
  const rows = db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), isNull(payments.applicationId), isNull(payments.voidedAt)))
    .all()
    .filter(({ formerApplicationId: id }) => id === null || !isClosedToAccount(db, id))
  return { depositCents, dueCents: Math.max(0, depositCents - Math.max(0, depositHeldCents(rows))), rows }
}

/**
 * The open amounts of an application without a payment plan, or of a tenant's payments without an application, in
 * cents. `rentCents` is null until there is a lease or a booking: any amount can be paid ahead. A deposit that is being
 * processed is not open.
 */
export function readOpenAmounts(db: ReadDb, userId: string, application: ApplicationRow | null) {
  const { depositCents, dueCents, rows } = depositDue(db, userId, application?.id ?? null)
  const owedCents = application?.totalCents ?? 0
  const money = planMoney({ owedCents, depositCents, rows })
  const isComing = money.onItsWay.depositCents > 0
  const hasTerms = application !== null && chargedDepositCents(db, application.id) !== null
  const open = hasTerms ? openAmounts(money) : { depositCents: dueCents, rentCents: null }
  return { ...open, depositCents: isComing ? 0 : open.depositCents }
}

/** A payment with the application and tenant details that a list shows. */
export type ListedPayment = {
  payment: PaymentRow
  application: Pick<ApplicationRow, 'id' | 'number' | 'firstName' | 'lastName' | 'deletedAt'> | null
  user: Pick<typeof users.$inferSelect, 'id' | 'firstName' | 'lastName' | 'email'>
}

/**
 * Payments for a list, newest first by the displayed date, without voided ones and abandoned checkouts. `maxRows` is
 * only for conditions that select paid payments: it sorts by an index.
 */
export function listPayments(db: ReadDb, where: SQL | undefined, maxRows?: number): ListedPayment[] {
  const neverOpened = and(eq(payments.status, 'pending'), isNull(payments.checkoutSessionId)) as SQL
  const abandoned = or(eq(payments.status, 'canceled'), neverOpened) as SQL
  const found = selectListed(db).where(and(where, isNull(payments.voidedAt), not(abandoned)))
  if (maxRows !== undefined)
    return found.orderBy(desc(payments.paidAt), desc(payments.id)).limit(maxRows).all()
  return found.all().sort((a, b) => shownDate(b).localeCompare(shownDate(a)))
}

const listedById = preparedQuery((db: ReadDb) =>
  selectListed(db)
    .where(eq(payments.id, sql.placeholder('id')))
    .prepare(),
)

export function requireListed(db: ReadDb, paymentId: string): ListedPayment {
  const listed = listedById(db).get({ id: paymentId })
  if (!listed) throw paymentNotFound()
  return listed
}

function selectListed(db: ReadDb) {
  return db
    .select({
      payment: payments,
      application: {
        id: applications.id,
        number: applications.number,
        firstName: applications.firstName,
        lastName: applications.lastName,
        deletedAt: applications.deletedAt,
      },
      user: { id: users.id, firstName: users.firstName, lastName: users.lastName, email: users.email },
    })
    .from(payments)
    .innerJoin(users, eq(users.id, payments.userId))
    .leftJoin(applications, eq(applications.id, payments.applicationId))
}

const shownDate = ({ payment }: ListedPayment): string => payment.paidAt ?? payment.createdAt
