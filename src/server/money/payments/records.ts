import { and, desc, eq, isNull, not, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { preparedQuery } from '../../../../db/prepared.ts'
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
type ReadDb = Pick<Db, 'select'>

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
export function getOwnApplication(db: ReadDb, actor: SignedIn, id: string): OwnApplication {
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

/** The tenant of a payment. */
export function requireUser(db: ReadDb, id: string) {
  const user = db.select().from(users).where(eq(users.id, id)).get()
  if (!user) throw new Error(`payment of an unknown user ${id}`)
  return user
}
