import { and, eq, gt, isNull, type SQL, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../../../../db/open.ts'
import { applications, payments, users } from '../../../../../db/schema.ts'
import { dayMs, hourMs } from '../../../../domain/common/durations.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { labelOfTypes, paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { bankMessages } from '../../../../domain/money/payment.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { requireProvider } from '../../../kernel/payment-provider.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { createKeyedLock } from '../../../lib/keyed-lock.ts'
import { bankSettings, saveBankRefusal } from '../../methods.ts'
import { syncSession } from '../reconcile/provider-sync.ts'
import { advanceStatus, attachSession } from '../reconcile/reconcile.ts'
import { checkoutRows, findPayment, isCancelRequested, type PaymentRow } from '../records.ts'
import {
  isAmountRefused,
  isKeyReused,
  isRefusal,
  isRetryableWithSameKey,
  isUnreachable,
  requestOptions,
} from '../stripe.ts'
import { requireAccountStays } from './account-gate.ts'

/** The provider allows 30 minutes to 24 hours; this is long enough for a retry after a failure. */
export const checkoutLifetimeMs = 2 * hourMs

export type OpenPayment = PaymentRow & { checkoutSessionId: string }

const paymentLock = createKeyedLock()

/** Returns the payment, with its session from the provider if it had none. Rejects like `lookUpSessions`. */
export function lookUp(deps: Deps, { id }: PaymentRow): Promise<PaymentRow> {
  return paymentLock(id, () => withLookedUpSession(deps, requirePayment(deps, id)))
}

/**
 * Like `lookUp`, but cancels a payment without a session. A request in flight may still create one: the attempt counts
 * as failed, so that the session is looked up and closed later.
 */
export function lookUpOrCancel(deps: Deps, { id }: PaymentRow): Promise<PaymentRow> {
  return paymentLock(id, async () => {
    const row = await withLookedUpSession(deps, requirePayment(deps, id))
    if (row.checkoutSessionId !== null) return row
    return deps.write(tx => {
      const now = findPayment(tx, id) ?? row
      if (now.checkoutSessionId !== null || now.status !== 'pending') return now
      if (now.checkoutAttempt === 0) countFailedAttempt(tx, id)
      advanceStatus(tx, now, 'canceled')
      return findPayment(tx, id) ?? now
    })
  })
}

async function withLookedUpSession(deps: Deps, row: PaymentRow): Promise<PaymentRow> {
  if (row.checkoutSessionId === null) await lookUpSessions(deps, [row])
  return requirePayment(deps, row.id)
}

function requirePayment({ db }: Deps, paymentId: string): PaymentRow {
  const row = findPayment(db, paymentId)
  if (!row) throw new Error(`no payment ${paymentId}`)
  return row
}

/**
 * Opens a pending payment's checkout, with the payment's id as idempotency key: a retry gets the same session. A
 * refusal cancels the payment; any other error response uses up the key, and the next call looks up sessions before it
 * retries.
 * @throws AppError provider_failed; conflict for a payment that was canceled in the meantime, or if the provider
 * refuses bank payments
 */
export function openSession(deps: Deps, { id }: PaymentRow): Promise<OpenPayment> {
  return paymentLock(id, async () => {
    const known = requirePayment(deps, id)
    const row =
      known.checkoutAttempt > 0 ? await withLookedUpSession(deps, known).catch(throwOpenFailed) : known
    if (row.checkoutSessionId !== null) return { ...row, checkoutSessionId: row.checkoutSessionId }
    if (row.status !== 'pending')
      throw new AppError('conflict', 'This checkout has been closed in the meantime. Please try again.')
    requireAccountStays()
    return createSession(deps, row)
  })
}

function throwOpenFailed(cause: unknown): never {
  throw new AppError('provider_failed', 'Failed to create checkout session', { cause })
}

async function createSession(deps: Deps, payment: PaymentRow): Promise<OpenPayment> {
  const { stripe } = requireProvider(deps)
  const { checkoutAttempt, id } = payment
  // The owner may save the section during the call; a refusal then applies to the previous settings.
  const { version } = bankSettings(deps.db)
  let session: Stripe.Checkout.Session
  try {
    session = await stripe.checkout.sessions.create(sessionParams(deps, payment), {
      idempotencyKey: checkoutAttempt === 0 ? id : `${id}-${checkoutAttempt}`,
    })
  } catch (cause) {
    deps.log.error({ err: cause, paymentId: id }, 'the checkout could not be opened')
    if (isRetryableWithSameKey(cause)) return throwOpenFailed(cause)
    const refusal = isRefusal(cause) && !isKeyReused(cause) ? cause : undefined
    const isBankRefused =
      refusal !== undefined && payment.providerMethod === 'us_bank_account' && !isAmountRefused(refusal)
    await deps.write(tx => {
      countFailedAttempt(tx, id)
      if (refusal) advanceStatus(tx, payment, 'canceled')
      if (isBankRefused) saveBankRefusal(tx, { version, words: refusal.message, at: nowIso(deps) })
    })
    failpoint('checkout-refused')
    if (isBankRefused) throw new AppError('conflict', bankMessages.unavailable, { cause })
    return throwOpenFailed(cause)
  }
  failpoint('checkout-opened')
  return deps.write(tx => {
    // The webhook may have stored the session first.
    if (!findPayment(tx, payment.id)?.checkoutSessionId) attachSession(tx, payment, session)
    return { ...payment, ...findPayment(tx, payment.id), checkoutSessionId: session.id }
  })
}

/** The attempt may still have created a session, so from now on the payment's sessions are looked up. */
function countFailedAttempt(tx: Tx, paymentId: string): void {
  tx.update(payments)
    .set({ checkoutAttempt: sql`${payments.checkoutAttempt} + 1` })
    .where(eq(payments.id, paymentId))
    .run()
}

/** Built from the rows alone, so that a retry sends the same request. */
function sessionParams({ db }: Deps, payment: PaymentRow): Stripe.Checkout.SessionCreateParams {
  const rows = checkoutRows(db, payment)
  const { checkoutExpiresAt, id } = payment
  const user = db.select({ email: users.email }).from(users).where(eq(users.id, payment.userId)).get()
  const application = payment.applicationId
    ? db.select().from(applications).where(eq(applications.id, payment.applicationId)).get()
    : undefined
  const feeCents = rows.reduce((sum, row) => sum + row.feeCents, 0)
  const types = rows.map(({ type }) => type)
  const label = labelOfTypes(types)
  const metadata = {
    paymentId: id,
    paymentType: types.join(' and '),
    ...(application && { applicationId: application.id, applicationNumber: application.number }),
  }
  const item = (unit_amount: number, name: string, description?: string) => ({
    quantity: 1,
    price_data: { currency: 'usd', unit_amount, product_data: { name, ...(description && { description }) } },
  })
  const itemOf = ({ amountCents, description, type }: PaymentRow) => {
    const label = paymentTypeLabels[type]
    return item(amountCents, application ? `${label} (${application.number})` : label, description)
  }
  return {
    mode: 'payment',
    // The price is for one method, with or without the card fee, so no other method is offered.
    allowed_payment_method_types: [payment.providerMethod ?? 'card'],
    ...(payment.providerMethod === 'us_bank_account' && {
      // Without micro-deposits, which take days.
      payment_method_options: { us_bank_account: { verification_method: 'instant' as const } },
    }),
    client_reference_id: id,
    customer_email: user?.email,
    metadata,
    payment_intent_data: {
      metadata,
      description: application ? `${label}, application ${application.number}` : label,
    },
    line_items: [...rows.map(itemOf), ...(feeCents > 0 ? [item(feeCents, 'Card fee')] : [])],
    success_url: payment.successUrl ?? '',
    cancel_url: payment.cancelUrl ?? '',
    expires_at: Math.floor(Date.parse(checkoutExpiresAt ?? payment.createdAt) / 1000),
  }
}

export type Intent = {
  userId: string
  applicationId: string | undefined
  types: readonly PaymentRow['type'][]
}

/** The first payments of a tenant's checkouts of one application with a payment of these types, oldest first. */
function checkoutsOf(db: Db, { applicationId, types, userId }: Intent, where: SQL | undefined): PaymentRow[] {
  return db
    .select()
    .from(payments)
    .where(
      and(
        where,
        eq(payments.userId, userId),
        applicationId ? eq(payments.applicationId, applicationId) : isNull(payments.applicationId),
        isNull(payments.checkoutLeadId),
      ),
    )
    .orderBy(payments.createdAt)
    .all()
    .filter(row => checkoutRows(db, row).some(({ type }) => types.includes(type)))
}

/** Checkouts that are open, by any method. */
export function openCheckouts({ db }: Pick<Deps, 'db'>, intent: Intent): PaymentRow[] {
  const isOpen = and(eq(payments.method, 'card'), eq(payments.status, 'pending'), isNull(payments.voidedAt))
  return checkoutsOf(db, intent, isOpen)
}

/** Checkouts that may have a session of a failed attempt. */
export function retriedCheckouts(deps: Deps, intent: Intent): PaymentRow[] {
  return checkoutsOf(deps.db, intent, hasRetriedCheckout(deps))
}

/** How far the provider's clock may be behind ours. */
const clockSkewMs = hourMs
/** How long after its expiry a checkout is still looked up. */
const lookupWindowMs = dayMs

/** Selects checkouts that may have several sessions at the provider, because an earlier attempt failed. */
export const hasRetriedCheckout = ({ clock }: Deps) =>
  and(
    isNull(payments.checkoutLeadId),
    gt(payments.checkoutAttempt, 0),
    gt(payments.checkoutExpiresAt, new Date(clock.now().getTime() - lookupWindowMs).toISOString()),
  )

/**
 * Looks up the sessions of these payments at the provider: attaches the open one to a pending payment that has none,
 * expires other open ones and reconciles paid ones. One failure does not stop the rest. Rejects without a response.
 */
export async function lookUpSessions(deps: Deps, of: readonly PaymentRow[]): Promise<void> {
  if (of.length === 0) return
  const { stripe } = requireProvider(deps)
  const oldest = Math.min(...of.map(({ createdAt }) => Date.parse(createdAt)))
  const created = { gte: Math.floor((oldest - clockSkewMs) / 1000) }
  const ids = new Set(of.map(({ id }) => id))
  const failures: unknown[] = []
  for await (const session of stripe.checkout.sessions.list({ created, limit: 100 }, requestOptions)) {
    const paymentId = session.client_reference_id
    if (paymentId === null || !ids.has(paymentId)) continue
    await adoptSession(deps, paymentId, session).catch(error => {
      if (isUnreachable(error)) throw error
      failures.push(error)
    })
  }
  if (failures.length > 0) throw failures[0]
}

async function adoptSession(deps: Deps, paymentId: string, session: Stripe.Checkout.Session): Promise<void> {
  if (session.status !== 'open') {
    const known = findPayment(deps.db, paymentId)?.checkoutSessionId
    if (!known || (session.status === 'complete' && known !== session.id)) await syncSession(deps, session.id)
    return
  }
  const isWanted = await deps.write(tx => {
    const row = findPayment(tx, paymentId)
    if (row?.status !== 'pending' || isCancelRequested(row)) return false
    if (row.checkoutSessionId === null) attachSession(tx, row, session)
    return row.checkoutSessionId === null || row.checkoutSessionId === session.id
  })
  if (!isWanted) await expireSession(deps, session.id)
}

/** Expires a session and reconciles it; false for an unknown one. Rejects when the provider does not respond. */
export async function expireSession(deps: Deps, sessionId: string): Promise<boolean> {
  const { stripe } = requireProvider(deps)
  await stripe.checkout.sessions.expire(sessionId, undefined, requestOptions).catch(error => {
    // The session has already ended; the sync below finds out how.
    if (!isRefusal(error)) throw error
  })
  return syncSession(deps, sessionId)
}
