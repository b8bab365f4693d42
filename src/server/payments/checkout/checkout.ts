import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../../domain/access.ts'
import { AppError, fieldError } from '../../../domain/errors.ts'
import { cardFeeCents } from '../../../domain/money.ts'
import { type CheckoutInput, sessionIdPlaceholder, validAmountMessage } from '../../../domain/payment.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireProvider } from '../../kernel/payment-provider.ts'
import { createKeyedLock } from '../../lib/keyed-lock.ts'
import { planStateOf } from '../ledger/plan-state.ts'
import {
  depositDue,
  findPayment,
  isCancelRequested,
  ledgerOf,
  loadOwn,
  type PaymentRow,
} from '../ledger/records.ts'
import { syncSession } from '../reconcile/provider-sync.ts'
import { advance } from '../reconcile/reconcile.ts'
import { expireSession, lookUpSessions, retriedCheckouts } from './checkout-lookup.ts'
import {
  checkoutLifetimeMs,
  lookUpOrCancel,
  type OpenPayment,
  openCheckouts,
  openSession,
} from './checkout-session.ts'
import { requirePlanAmount } from './plan-amount.ts'
import { returnUrls } from './return-urls.ts'

/** A checkout that expires sooner is replaced, not reused. */
const minTimeLeftMs = 5 * 60 * 1000
const intentLock = createKeyedLock()

/**
 * Starts a card payment; returns the URL for the browser. There is one open checkout per tenant, application and type:
 * the same amount reuses it, another amount replaces it.
 * @throws AppError bad_request for a wrong amount, fee, total or return address; forbidden for an admin; not_found for
 * another's application; conflict for a declined one or a paid deposit; too_many; provider_failed; unavailable
 */
export async function createCheckoutSession(deps: Deps, actor: SignedIn, input: CheckoutInput) {
  const tenant = requireTenant(actor, 'Only the tenant can pay by card. Please add a manual payment instead.')
  const urls = returnUrls(deps.config, input)
  requirePayable(deps, deps.db, tenant, input)
  requireProvider(deps)
  await deps.limits.consume('checkoutByUser', tenant.userId)
  const intent = { userId: tenant.userId, applicationId: input.applicationId, type: input.paymentType }
  return intentLock(Object.values(intent).join(' '), async () => {
    for (const open of openCheckouts(deps, intent)) {
      const url = await reuseOrReplace(deps, open, input)
      if (url) return { url }
    }
    // No session of a failed attempt may stay open beside the new one.
    await lookUpSessions(deps, retriedCheckouts(deps, intent)).catch(cause => {
      throw new AppError('provider_failed', 'Failed to create checkout session', { cause })
    })
    const payment = await deps.write(tx => {
      // Checked again inside the write: an open checkout may have turned out to be paid.
      requirePayable(deps, tx, tenant, input)
      const row = newPayment(deps, tenant, input, urls)
      tx.insert(payments).values(row).run()
      recordEvent(tx, row.createdAt, actor, 'payment.checkout_started', row.id, {
        amountCents: row.amountCents,
        feeCents: row.feeCents,
      })
      return findPayment(tx, row.id)
    })
    if (!payment) throw new Error('the payment that was just written is gone')
    const opened = await openSession(deps, payment)
    if (isCancelRequested(opened) || opened.status === 'canceled') {
      await closeCheckout(deps, opened)
      requirePayable(deps, deps.db, tenant, input)
      throw new AppError('conflict', 'This checkout was closed meanwhile. Please try again.')
    }
    return { url: isPaidOrProcessing(opened) ? successUrlOf(opened) : urlOf(opened) }
  })
}

/** Computes every amount here; the browser's must match. */
function requirePayable(deps: Deps, db: Pick<Db, 'select'>, tenant: Tenant, input: CheckoutInput): void {
  const record = input.applicationId ? loadOwn(db, tenant, input.applicationId) : null
  if (record?.application.status === 'rejected')
    throw new AppError('conflict', 'This application was declined. Nothing can be paid for it.')
  const feeCents = cardFeeCents(input.amount, deps.config.cardFeeBasisPoints)
  if (input.creditCardFee !== feeCents) throw fieldError('creditCardFee', 'The card fee is not right.')
  if (input.totalAmount !== input.amount + feeCents)
    throw fieldError('totalAmount', 'The total is not the amount plus the card fee.')
  const plan = record && planStateOf(deps, db, record)
  if (record && plan) requirePlanAmount(plan.instalments, ledgerOf(db, record.application.id), input)
  if (plan || input.paymentType !== 'deposit') return
  const { dueCents, rows } = depositDue(db, tenant.userId, record?.application.id ?? null)
  if (dueCents === 0) throw new AppError('conflict', 'The security deposit has been paid already.')
  if (input.amount !== dueCents) throw fieldError('amount', validAmountMessage)
  if (rows.some(row => row.type === 'deposit' && row.status === 'processing'))
    throw new AppError('conflict', 'A payment of the security deposit is on its way already.')
}

function newPayment(
  deps: Deps,
  tenant: Tenant,
  input: CheckoutInput,
  urls: { successUrl: string; cancelUrl: string },
) {
  return {
    id: randomUUID(),
    userId: tenant.userId,
    applicationId: input.applicationId ?? null,
    type: input.paymentType,
    method: 'card' as const,
    providerMethod: input.providerMethod,
    status: 'pending' as const,
    amountCents: input.amount,
    feeCents: input.creditCardFee,
    description: input.description,
    createdAt: nowIso(deps),
    checkoutExpiresAt: new Date(deps.clock.now().getTime() + checkoutLifetimeMs).toISOString(),
    ...urls,
  }
}

/**
 * The URL of an open checkout that can be reused. Otherwise closes it, or reconciles it where it was paid.
 * @throws AppError provider_failed when the provider does not respond
 */
async function reuseOrReplace(
  deps: Deps,
  payment: PaymentRow,
  { amount, creditCardFee }: CheckoutInput,
): Promise<string | undefined> {
  const isSame = payment.amountCents === amount && payment.feeCents === creditCardFee
  const isWanted = isSame && hasTimeLeft(deps, payment) && !isCancelRequested(payment)
  // A first attempt without a response may still be in flight; a retry under its key settles that.
  const hasNoResponse = payment.checkoutAttempt === 0 && !isCancelRequested(payment)
  const shouldOpen = payment.checkoutSessionId === null && (isWanted || hasNoResponse)
  const opened = shouldOpen ? await retryOpen(deps, payment, isWanted) : payment
  if (!opened) return undefined
  if (!isWanted || !opened.checkoutSessionId) {
    await closeCheckout(deps, opened)
    return undefined
  }
  // It may have been paid since; without a response it is reused as it is.
  const isKnown = await syncSession(deps, opened.checkoutSessionId).catch(error => {
    deps.log.warn({ err: error, paymentId: payment.id }, 'an open checkout is reused without a check')
    return true
  })
  if (!isKnown) await deps.write(tx => advance(tx, opened, 'canceled'))
  const now = findPayment(deps.db, payment.id)
  if (now?.status !== 'pending') return undefined
  if (!isCancelRequested(now)) return urlOf(now)
  await closeCheckout(deps, now)
  return undefined
}

/** Retries an attempt without a response under its key; undefined when the provider refuses it. */
async function retryOpen(
  deps: Deps,
  payment: PaymentRow,
  isWanted: boolean,
): Promise<PaymentRow | undefined> {
  return openSession(deps, payment).catch(error => {
    const now = findPayment(deps.db, payment.id)
    if (now?.status === 'canceled') return undefined
    // It failed for good; closing it looks up any session that it left behind.
    if (!isWanted && now && now.checkoutAttempt > payment.checkoutAttempt) return now
    throw error
  })
}

/**
 * Closes a checkout; one that was paid meanwhile is reconciled instead.
 * @throws AppError provider_failed when the provider does not respond, or keeps it open
 */
export async function closeCheckout(
  deps: Deps,
  payment: PaymentRow,
  sentence = 'Failed to create checkout session',
): Promise<void> {
  requireProvider(deps)
  let isKnown: boolean
  try {
    const { checkoutSessionId } = await lookUpOrCancel(deps, payment)
    if (!checkoutSessionId) return
    isKnown = await expireSession(deps, checkoutSessionId)
  } catch (cause) {
    throw new AppError('provider_failed', sentence, { cause })
  }
  if (!isKnown) await deps.write(tx => advance(tx, payment, 'canceled'))
  else if (findPayment(deps.db, payment.id)?.status === 'pending')
    throw new AppError('provider_failed', sentence)
}

function hasTimeLeft({ clock }: Deps, { checkoutExpiresAt }: PaymentRow): boolean {
  return Date.parse(checkoutExpiresAt ?? '') - clock.now().getTime() > minTimeLeftMs
}

/** The webhook arrived before the response to our call: nothing is left to pay. */
const isPaidOrProcessing = ({ paidAt, status }: PaymentRow) => paidAt !== null || status === 'processing'

function successUrlOf({ checkoutSessionId, successUrl }: OpenPayment): string {
  return (successUrl ?? '').replaceAll(sessionIdPlaceholder, checkoutSessionId)
}

function urlOf(payment: PaymentRow): string {
  if (!payment.checkoutUrl) throw new AppError('provider_failed', 'Failed to create checkout session')
  return payment.checkoutUrl
}
