import { and, desc, eq, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { prepared } from '../../../db/prepared.ts'
import { applications, payments, users } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/access.ts'
import { AppError } from '../../domain/errors.ts'
import { type Balance, balance, creditedCents } from '../../domain/ledger.ts'

export type PaymentRow = typeof payments.$inferSelect
export type ApplicationRow = typeof applications.$inferSelect
type Reading = Pick<Db, 'select'>

export const paymentNotFound = () => new AppError('not_found', 'Payment not found')
export const applicationNotFound = () => new AppError('not_found', 'Application not found')

export function findPayment(db: Reading, id: string): PaymentRow | undefined {
  return db.select().from(payments).where(eq(payments.id, id)).get()
}

const applicationById = prepared((db: Reading) =>
  db
    .select()
    .from(applications)
    .where(and(eq(applications.id, sql.placeholder('id')), isNull(applications.deletedAt)))
    .prepare(),
)

/** An application that was not deleted. @throws AppError not_found */
export function requireApplication(db: Reading, id: string): ApplicationRow {
  const row = applicationById(db).get({ id })
  if (!row) throw applicationNotFound()
  return row
}

/** @throws AppError not_found for somebody else's application, as for one that does not exist */
export function requireOwnApplication(db: Reading, actor: SignedIn, id: string): ApplicationRow {
  const row = requireApplication(db, id)
  if (row.userId !== actor.userId) throw applicationNotFound()
  return row
}

/** All ledger rows of an application that were not removed, whatever their state. */
export function ledgerOf(db: Reading, applicationId: string): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.applicationId, applicationId), isNull(payments.voidedAt)))
    .all()
}

/** The same of all that a tenant paid, linked or not. */
export function ledgerOfUser(db: Reading, userId: string): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.userId, userId), isNull(payments.voidedAt)))
    .all()
}

/** Owed, paid and balance of an application in cents; nothing is owed before the lease is generated (MONEY-03). */
export function balanceOf(application: ApplicationRow, rows: readonly PaymentRow[]): Balance {
  const isGenerated = application.leaseGeneratedAt !== null
  return balance({
    owedCents: isGenerated ? application.totalCents : 0,
    depositCents: isGenerated ? (application.depositCents ?? 0) : 0,
    rows,
  })
}

export type PaymentView = ReturnType<typeof toPaymentView>
type Listed = {
  payment: PaymentRow
  application: Pick<ApplicationRow, 'id' | 'number' | 'firstName' | 'lastName' | 'deletedAt'> | null
  user: Pick<typeof users.$inferSelect, 'id' | 'firstName' | 'lastName' | 'email'>
}

/** A payment as it travels: cents, with the names of its application and tenant (REST-10). */
export function toPaymentView({ payment, application, user }: Listed) {
  return {
    _id: payment.id,
    id: payment.id,
    amount: payment.amountCents,
    feeAmount: payment.feeCents,
    refundedAmount: payment.refundedAmountCents,
    refundedFeeAmount: payment.refundedFeeCents,
    /** What it adds to the tenant's payments today. */
    creditedAmount: creditedCents(payment),
    paymentType: payment.type,
    method: payment.method,
    status: payment.status,
    description: payment.description,
    checkNumber: payment.checkNumber,
    createdAt: payment.createdAt,
    paidAt: payment.paidAt,
    transferId: payment.transferId,
    stripePaymentIntentId: payment.stripePaymentIntentId,
    receiptUrl: payment.receiptUrl,
    cardBrand: payment.cardBrand,
    cardLast4: payment.cardLast4,
    applicationId:
      application && !application.deletedAt
        ? {
            _id: application.id,
            id: application.id,
            applicationNumber: application.number,
            firstName: application.firstName,
            lastName: application.lastName,
          }
        : null,
    userId: {
      _id: user.id,
      id: user.id,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
    },
  }
}

/** The same for the owner, with the notes that the tenant does not see. */
export function toAdminPaymentView(listed: Listed) {
  return { ...toPaymentView(listed), notes: listed.payment.notes }
}

/**
 * Payments for a list, newest first by the date that is shown (HIST-09). Left out: what was removed, and checkouts that
 * came to nothing. `most` is for payments that were all paid: so many of the newest, in the order of an index.
 */
export function listPayments(db: Reading, where: SQL | undefined, most?: number): Listed[] {
  const neverOpened = and(eq(payments.status, 'pending'), isNull(payments.checkoutSessionId)) as SQL
  const cameToNothing = or(eq(payments.status, 'canceled'), neverOpened) as SQL
  const found = selectListed(db).where(and(where, isNull(payments.voidedAt), not(cameToNothing)))
  if (most !== undefined) return found.orderBy(desc(payments.paidAt), desc(payments.id)).limit(most).all()
  return found.all().sort((a, b) => shownDate(b).localeCompare(shownDate(a)))
}

const listedById = prepared((db: Reading) =>
  selectListed(db)
    .where(eq(payments.id, sql.placeholder('id')))
    .prepare(),
)

export function requireListed(db: Reading, paymentId: string): Listed {
  const listed = listedById(db).get({ id: paymentId })
  if (!listed) throw paymentNotFound()
  return listed
}

function selectListed(db: Reading) {
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

const shownDate = ({ payment }: Listed): string => payment.paidAt ?? payment.createdAt
