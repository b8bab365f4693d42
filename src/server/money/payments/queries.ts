import { and, eq, isNull } from 'drizzle-orm'
import { payments } from '../../../../db/schema.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import { isEnded } from '../../../domain/bookings/application-status.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { isOpenPayment, returnedDepositCents } from '../../../domain/money/ledger.ts'
import { lostTransfers } from '../../../domain/money/transfer-losses.ts'
import { findUser } from '../../auth/sessions/users.ts'
import { listOwnApplications } from '../../bookings/records.ts'
import type { Deps } from '../../kernel/deps.ts'
import { readCardFee } from '../../site/settings.ts'
import { accountsOfUser } from '../accounts.ts'
import { paymentMethodsOf } from '../methods.ts'
import { moneyOf, unlinkedMoney } from '../records.ts'
import { fillCardDetails, receiptStateOf } from './receipts.ts'
import { syncSession } from './reconcile/provider-sync.ts'
import {
  canViewPayment,
  checkoutRows,
  getOwnApplication,
  listPayments,
  type PaymentRow,
  paymentNotFound,
  requireListed,
} from './records.ts'
import { toAdminPaymentView, toPaymentView } from './views.ts'

/**
 * The data of the payment page: the caller's payable applications, newest first, and the payment methods (PAY-05, -14,
 * -16).
 */
export function paymentOptions(deps: Deps, actor: SignedIn) {
  const { db, provider } = deps
  const payable = listOwnApplications(db, actor).filter(({ application }) => !isEnded(application.status))
  const unlinked = unlinkedMoney(db, actor.userId)
  return {
    applications: payable.map(({ application, lease }) => {
      const { balance, depositCents, depositDueCents, onItsWayCents, open, rows } = moneyOf(db, application)
      return {
        _id: application.id,
        id: application.id,
        applicationNumber: application.number,
        status: application.status,
        startDate: application.stayStartDate,
        endDate: application.stayEndDate,
        leaseGenerated: lease !== null,
        balance,
        onItsWayCents,
        depositCents,
        depositDueCents,
        depositPaid: depositDueCents === 0,
        depositReturned: depositCents > 0 && returnedDepositCents(depositCents, rows) === depositCents,
        open,
      }
    }),
    /** For a payment without an application. */
    ...unlinked,
    depositPaid: unlinked.depositDueCents === 0,
    feeBasisPoints: readCardFee(deps),
    cardPayments: provider !== undefined,
    bankPayments: paymentMethodsOf(deps).bank,
    email: findUser(db, actor.userId)?.email ?? '',
  }
}

/**
 * The caller's own payments, newest first; only one application's if given.
 * @throws AppError not_found for another tenant's application
 */
export function paymentHistory({ db }: Deps, actor: SignedIn, input: { applicationId?: string }) {
  const { applicationId } = input
  if (applicationId) getOwnApplication(db, actor, applicationId)
  const listed = listPayments(db, ofUser(actor.userId, applicationId))
    .filter(({ payment }) => canViewPayment(db, actor, payment))
    .map(toPaymentView)
  return withoutLostTransfers(db, actor.userId, listed)
}

/** A tenant's payments for the owner, newest first. @throws AppError not_found for an unknown tenant */
export function paymentHistoryOf({ db }: Deps, input: { userId: string; applicationId?: string }) {
  if (!findUser(db, input.userId)) throw new AppError('not_found', 'User not found')
  const listed = listPayments(db, ofUser(input.userId, input.applicationId)).map(toAdminPaymentView)
  return withoutLostTransfers(db, input.userId, listed)
}

/** Both sides of a transfer credit only what is not lost where it came from (FIX-38), as the sums of both bookings do. */
function withoutLostTransfers<View extends ReturnType<typeof toPaymentView>>(
  db: Deps['db'],
  userId: string,
  listed: View[],
): View[] {
  if (!listed.some(({ method }) => method === 'transfer')) return listed
  const ofTenant = accountsOfUser(db, userId)
  const lost = lostTransfers(ofTenant)
  const transfers = new Map(ofTenant.flatMap(({ rows }) => rows.map(row => [row.id, row.transferId])))
  return listed.map(view => {
    const cents = lost.get(transfers.get(view.id) ?? null) ?? 0
    return cents === 0
      ? view
      : { ...view, creditedAmount: view.creditedAmount - Math.sign(view.creditedAmount) * cents }
  })
}

const ofUser = (userId: string, applicationId: string | undefined) =>
  and(eq(payments.userId, userId), applicationId ? eq(payments.applicationId, applicationId) : undefined)

/**
 * The payments of a checkout session, and the first of them, for the success page; synced with the provider if the
 * webhook has not arrived yet.
 * `payment.status` shows whether it was paid (PAYOK-01, -06, -08).
 * @throws AppError not_found, also for another tenant's session
 */
export async function paymentBySession(deps: Deps, actor: SignedIn, sessionId: string) {
  const known = bySession(deps, sessionId)
  if (known && !canViewPayment(deps.db, actor, known)) throw paymentNotFound()
  const isOpen = known && isOpenPayment(known.status)
  // An unknown session may have been paid before its id was stored.
  if (isOpen || (!known && hasUnopened(deps, actor)))
    await bestEffort(deps, () => syncSession(deps, sessionId))
  const payment = bySession(deps, sessionId)
  if (!payment || payment.voidedAt || !canViewPayment(deps.db, actor, payment)) throw paymentNotFound()
  await bestEffort(deps, () => fillCardDetails(deps, payment.id))
  const view = toPaymentView(requireListed(deps.db, payment.id))
  const rows = checkoutRows(deps.db, payment).filter(({ voidedAt }) => voidedAt === null)
  return {
    payment: { ...view, receiptEmail: receiptStateOf(deps, payment.id) },
    payments: rows.map(({ id }) => toPaymentView(requireListed(deps.db, id))),
    receiptUrl: view.receiptUrl,
  }
}

function bySession({ db }: Deps, sessionId: string): PaymentRow | undefined {
  const ofSession = eq(payments.checkoutSessionId, sessionId)
  // Payments that were not removed come first.
  return db.select().from(payments).where(ofSession).orderBy(payments.voidedAt, payments.checkoutLeadId).get()
}

function hasUnopened({ db }: Deps, actor: SignedIn): boolean {
  const unopened = and(
    eq(payments.userId, actor.userId),
    eq(payments.status, 'pending'),
    isNull(payments.checkoutSessionId),
  )
  return db.select({ id: payments.id }).from(payments).where(unopened).get() !== undefined
}

/** Logs a failure: the sweep retries. */
async function bestEffort({ log }: Deps, work: () => Promise<unknown>): Promise<void> {
  await work().catch(error => log.warn({ err: error }, 'a request to the card provider failed'))
}

/** A payment in the owner's view, after a change. @throws AppError not_found */
export function adminPayment({ db }: Deps, paymentId: string) {
  return toAdminPaymentView(requireListed(db, paymentId))
}
