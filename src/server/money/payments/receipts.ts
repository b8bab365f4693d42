import { and, eq, gt, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { shownEmail } from '../../../domain/accounts/account-rules.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { hasOtherCharges, visibleLines } from '../../../domain/money/charge.ts'
import { isCounted, labelOfTypes, paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { cardBrandLabel } from '../../../domain/money/payment.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { ReceiptFacts } from '../../mail/define-mail.ts'
import { enqueueMail, type MailState, mailState } from '../../mail/outbox.ts'
import { siteAt } from '../../site/content/published.ts'
import { activeCharges, leftToPay } from '../records.ts'
import {
  canViewPayment,
  checkoutRows,
  findPayment,
  ofCheckout,
  type PaymentRow,
  paymentNotFound,
  requireListed,
  requireUser,
  totalOf,
} from './records.ts'
import { requestOptions } from './stripe.ts'

const receiptKey = (paymentId: string) => `receipt:${paymentId}`

/** Queues the tenant's receipt of all that was paid in this payment's checkout, once (MONEY-07). */
export function queueReceipt(tx: Tx, at: string, payment: PaymentRow): void {
  enqueueReceipt(tx, at, payment, receiptKey(payment.id))
}

function enqueueReceipt(tx: Tx, at: string, payment: PaymentRow, dedupeKey: string): void {
  const { email } = requireUser(tx, payment.userId)
  const { id: paymentId, applicationId } = payment
  const props = applicationId === null ? { paymentId } : { paymentId, applicationId }
  enqueueMail(tx, at, { kind: 'payment-receipt', props, to: email, dedupeKey })
  tx.update(payments).set({ receiptQueuedAt: at }).where(ofCheckout(payment)).run()
}

/** The receipt's state for the success page; `off` if mail is not set up (PAYOK-08 to -10). */
export function receiptStateOf({ db, mail }: Deps, paymentId: string): MailState | 'off' {
  return mail === undefined ? 'off' : (mailState(db, receiptKey(paymentId)) ?? 'off')
}

/**
 * Sends the receipt of a received payment again; two requests within a minute send one.
 * @throws AppError not_found; conflict for a payment that was not received
 */
export async function resendReceipt(deps: Deps, actor: Admin, paymentId: string) {
  const at = nowIso(deps)
  await deps.write(tx => {
    const payment = findPayment(tx, paymentId)
    if (!payment || payment.voidedAt) throw paymentNotFound()
    if (!isCounted(payment) || payment.amountCents <= 0)
      throw new AppError('conflict', 'A receipt can be sent only for a payment that was received.')
    if (isJustQueued(payment, at)) return
    const key = payment.receiptQueuedAt ? `${receiptKey(paymentId)}:${at}` : receiptKey(paymentId)
    enqueueReceipt(tx, at, payment, key)
    recordEvent(tx, at, actor, 'payment.receipt_sent', paymentId)
  })
  return { message: 'Payment receipt queued.' }
}

/** Not if it was queued while the clock was ahead. */
const isJustQueued = ({ receiptQueuedAt }: PaymentRow, at: string): boolean =>
  receiptQueuedAt !== null && receiptQueuedAt <= at && Date.parse(at) - Date.parse(receiptQueuedAt) < 60_000

/**
 * What the mail of a receipt contains; undefined once the payment was removed or the bank took it back.
 * @throws AppError unavailable
 */
export async function receiptForMail(deps: Deps, paymentId: string) {
  const payment = findPayment(deps.db, paymentId)
  if (!payment || rowsOnReceipt(deps, payment).length === 0) return undefined
  const { facts, pdf } = await receiptData(deps, paymentId)
  const { applicationId } = payment
  const tellsLeft = applicationId !== null && !wasPaidSince(deps, applicationId, facts.paidAt)
  const left = tellsLeft && leftToPay(deps, deps.db, applicationId)
  return { facts: { ...facts, ...(left && { left }) }, pdf }
}

/** Whether more was paid after this time; then the newest receipt says what is left. */
const wasPaidSince = ({ db }: Deps, applicationId: string, at: string): boolean =>
  db
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.applicationId, applicationId), isNull(payments.voidedAt), gt(payments.paidAt, at)))
    .get() !== undefined

/** The payments of a checkout that were neither removed nor returned by the bank. */
const rowsOnReceipt = ({ db }: Deps, payment: PaymentRow): PaymentRow[] =>
  checkoutRows(db, payment).filter(({ status, voidedAt }) => voidedAt === null && status !== 'returned')

/**
 * A receipt's data and PDF, of one payment or of deposit and rent paid together; loaded when the mail is sent, so that
 * late card details are included.
 * @throws AppError not_found; unavailable
 */
export async function receiptData(
  deps: Deps,
  paymentId: string,
): Promise<{ facts: ReceiptFacts; pdf: Uint8Array }> {
  await fillCardDetails(deps, paymentId).catch(error =>
    deps.log.warn({ err: error, paymentId }, 'a receipt is sent without card details'),
  )
  const { payment, application, user } = requireListed(deps.db, paymentId)
  const rows = rowsOnReceipt(deps, payment)
  const sumOf = (cents: (row: PaymentRow) => number) => rows.reduce((sum, row) => sum + cents(row), 0)
  const listed = payment.applicationId === null ? {} : chargesOnReceipt(deps, payment.applicationId)
  const labelOf = (type: PaymentRow['type']) =>
    type === 'rent' && listed.charges ? 'Rent and charges' : paymentTypeLabels[type]
  const facts: ReceiptFacts = {
    firstName: user.firstName,
    email: shownEmail(user.email),
    applicationNumber: application?.number ?? null,
    paymentTypeLabel: labelOfTypes(rows.map(({ type }) => type)),
    amountCents: sumOf(row => row.amountCents),
    feeCents: sumOf(row => row.feeCents),
    totalCents: totalOf(rows),
    paidAt: payment.paidAt ?? payment.createdAt,
    transactionId: payment.stripePaymentIntentId ?? payment.id,
    cardBrand: payment.cardBrand && cardBrandLabel(payment.cardBrand),
    cardLast4: payment.cardLast4,
    refundedCents: sumOf(row => row.refundedAmountCents + row.refundedFeeCents),
    isDisputed: rows.some(({ lostAmountCents }) => lostAmountCents > 0),
    ...(rows.length > 1 && {
      lines: rows.map(({ amountCents, type }) => ({ label: labelOf(type), amountCents })),
    }),
    ...(payment.providerMethod === 'us_bank_account' && { isBank: true, cardBrand: 'Bank account' }),
    ...listed,
  }
  const pdf = await deps.renderer.receiptPdf({
    ...facts,
    site: siteAt(deps, madeAt(payment)),
    tenantName: `${user.firstName} ${user.lastName}`,
    method: payment.method,
    checkNumber: payment.checkNumber,
  })
  return { facts, pdf }
}

/** The receipt's date: it shows the company name of that day, however often it is rendered. */
const madeAt = ({ createdAt, method, paidAt }: PaymentRow): string =>
  method === 'card' ? (paidAt ?? createdAt) : createdAt

/** All charges of the application, if there are more than rent and deposit (CHG-28). */
function chargesOnReceipt({ db }: Deps, applicationId: string): Pick<ReceiptFacts, 'charges'> {
  const charges = visibleLines(activeCharges(db, applicationId))
  if (!hasOtherCharges(charges)) return {}
  return { charges: charges.map(({ amountCents, label }) => ({ label, amountCents })) }
}

/**
 * The receipt as a file, for the payment's tenant and the owner.
 * @throws AppError not_found, also for another tenant's payment; conflict for a payment that was not received or that
 * the bank returned; too_many; unavailable
 */
export async function receiptPdf(deps: Deps, actor: SignedIn, paymentId: string) {
  const payment = findPayment(deps.db, paymentId)
  if (!payment || payment.voidedAt || !canViewPayment(deps.db, actor, payment)) throw paymentNotFound()
  if (payment.paidAt === null || payment.amountCents <= 0 || payment.status === 'returned')
    throw new AppError('conflict', 'There is no receipt for this payment.')
  await deps.limits.consume('receiptByUser', actor.userId)
  await deps.limits.consume('receiptByAddress', actor.requestOrigin.address)
  const { pdf } = await receiptData(deps, paymentId)
  return { filename: `receipt-${(payment.paidAt ?? payment.createdAt).slice(0, 10)}.pdf`, content: pdf }
}

/**
 * Fetches a paid payment's missing card brand, last digits and receipt URL; for a bank account it stores only the last
 * four digits (BANK-08). Rejects when the provider does not respond.
 */
export async function fillCardDetails(deps: Deps, paymentId: string): Promise<void> {
  const payment = findPayment(deps.db, paymentId)
  if (payment && !payment.stripeChargeId) await readCharge(deps, payment)
}

/** Fetches what the provider kept of a payment's checkout, if it is missing (BOOK-12). Rejects like `fillCardDetails`. */
export async function fillProviderFee(deps: Deps, paymentId: string): Promise<void> {
  const payment = findPayment(deps.db, paymentId)
  if (payment && payment.providerFeeCents === null) await readCharge(deps, payment)
}

async function readCharge({ provider, write }: Deps, payment: PaymentRow): Promise<void> {
  if (!provider || !payment.paidAt || !payment.stripePaymentIntentId) return
  const intent = await provider.stripe.paymentIntents.retrieve(
    payment.stripePaymentIntentId,
    { expand: ['latest_charge.balance_transaction'] },
    requestOptions,
  )
  const charge = intent.latest_charge
  if (!charge || typeof charge === 'string') return
  const { balance_transaction: transaction } = charge
  await write(tx => {
    tx.update(payments).set(cardDetails(charge)).where(ofCheckout(payment)).run()
    if (transaction && typeof transaction !== 'string')
      tx.update(payments)
        .set({ providerFeeCents: transaction.fee })
        .where(eq(payments.id, payment.checkoutLeadId ?? payment.id))
        .run()
  })
}

function cardDetails(charge: Stripe.Charge) {
  const method = charge.payment_method_details
  const bank = method?.us_bank_account
  return {
    stripeChargeId: charge.id,
    cardBrand: method?.card?.brand ?? method?.type ?? null,
    cardLast4: method?.card?.last4 ?? bank?.last4 ?? null,
    receiptUrl: charge.receipt_url,
  }
}
