import { and, desc, eq, isNull, not, or, type SQL } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, payments, users } from '../../../../db/schema.ts'
import { canView, type SignedIn } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import {
  type ApplicationRow,
  applicationNotFound,
  getApplicationRecord,
  isClosedToAccount,
  type OwnApplication,
} from '../../bookings/records.ts'

export type PaymentRow = typeof payments.$inferSelect
export const paymentNotFound = () => new AppError('not_found', 'Payment not found')

export function findPayment(db: Db, id: string): PaymentRow | undefined {
  return db.select().from(payments).where(eq(payments.id, id)).get()
}

type OfCheckout = Pick<PaymentRow, 'id' | 'checkoutLeadId'>

/** Selects the payments of one checkout, from any of them; only the payment itself if it was not paid with another. */
export function ofCheckout({ checkoutLeadId, id }: OfCheckout): SQL | undefined {
  const leadId = checkoutLeadId ?? id
  return or(eq(payments.id, leadId), eq(payments.checkoutLeadId, leadId))
}

/** The payments of one checkout, the one by which the provider names it first. */
export function checkoutRows(db: Db, row: OfCheckout): PaymentRow[] {
  return db.select().from(payments).where(ofCheckout(row)).orderBy(payments.checkoutLeadId).all()
}

/** Amount and fee of all payments of a checkout, in cents. */
export const totalOf = (rows: readonly Pick<PaymentRow, 'amountCents' | 'feeCents'>[]): number =>
  rows.reduce((sum, { amountCents, feeCents }) => sum + amountCents + feeCents, 0)

/** Whether the actor may see a payment; not one of a booking, also a deleted one, that is closed to them (FIX-27). */
export function canViewPayment(
  db: Db,
  actor: SignedIn,
  { applicationId, formerApplicationId, userId }: PaymentRow,
): boolean {
  const booking = applicationId ?? formerApplicationId
  if (actor.role === 'admin' || booking === null) return canView(actor, userId)
  return canView(actor, userId) && !isClosedToAccount(db, booking)
}

/** The tenant's own application. @throws AppError not_found also for another tenant's application */
export function getOwnApplication(db: Db, actor: SignedIn, id: string): OwnApplication {
  const record = getApplicationRecord(db, actor, id)
  if (record.application.userId !== actor.userId) throw applicationNotFound()
  return record
}

/** Whether the payment's checkout must be closed because the payment was canceled or removed. */
export function isCancelRequested({ cancelRequestedAt, voidedAt }: PaymentRow): boolean {
  return cancelRequestedAt !== null || voidedAt !== null
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
export function listPayments(db: Db, where: SQL | undefined, maxRows?: number): ListedPayment[] {
  const neverOpened = and(eq(payments.status, 'pending'), isNull(payments.checkoutSessionId)) as SQL
  const abandoned = or(eq(payments.status, 'canceled'), neverOpened) as SQL
  const found = selectListed(db).where(and(where, isNull(payments.voidedAt), not(abandoned)))
  if (maxRows !== undefined)
    return found.orderBy(desc(payments.paidAt), desc(payments.id)).limit(maxRows).all()
  return found.all().sort((a, b) => shownDate(b).localeCompare(shownDate(a)))
}

export function requireListed(db: Db, paymentId: string): ListedPayment {
  const listed = selectListed(db).where(eq(payments.id, paymentId)).get()
  if (!listed) throw paymentNotFound()
  return listed
}

function selectListed(db: Db) {
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

/** The tenant of a payment. */
export function requireUser(db: Db, id: string) {
  const user = db.select().from(users).where(eq(users.id, id)).get()
  if (!user) throw new Error(`payment of an unknown user ${id}`)
  return user
}
