import { randomUUID } from 'node:crypto'
import type { Db } from '../../../../../db/open.ts'
import { payments } from '../../../../../db/schema.ts'
import { requireTenant, type SignedIn, type Tenant } from '../../../../domain/accounts/access.ts'
import { endedMessage } from '../../../../domain/bookings/application-status.ts'
import { AppError, fieldError } from '../../../../domain/common/errors.ts'
import { cardFeeCents } from '../../../../domain/common/money.ts'
import { bankMessages, sessionIdPlaceholder, validAmountMessage } from '../../../../domain/money/payment.ts'
import { type CheckoutInput, type CheckoutLine, linesOf } from '../../../../domain/money/payment-input.ts'
import { planMessages } from '../../../../domain/money/payment-plan.ts'
import { depositParts, rentError } from '../../../../domain/money/payment-plan-state.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import type { Config } from '../../../kernel/config.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { requireProvider } from '../../../kernel/payment-provider.ts'
import { createKeyedLock } from '../../../lib/keyed-lock.ts'
import { readCardFee } from '../../../site/settings.ts'
import { bankRefusal, bankSettings } from '../../methods.ts'
import {
  ledgerOf,
  moneyOf,
  type PlanState,
  planStateOf,
  unlinkedLedger,
  unlinkedMoney,
} from '../../records.ts'
import { syncSession } from '../reconcile/provider-sync.ts'
import { advanceStatus } from '../reconcile/reconcile.ts'
import {
  checkoutRows,
  findPayment,
  getOwnApplication,
  isCancelRequested,
  type PaymentRow,
} from '../records.ts'
import {
  checkoutLifetimeMs,
  expireSession,
  lookUpOrCancel,
  lookUpSessions,
  type OpenPayment,
  openCheckouts,
  openSession,
  retriedCheckouts,
} from './checkout-session.ts'

type Site = Pick<Config, 'origin' | 'mode' | 'demo'>

/**
 * The URLs to which the provider returns the browser; adds the session id to `successUrl` if it is missing.
 * @throws AppError bad_request for a URL on another site
 */
export function returnUrls(site: Site, requested: { successUrl?: string; cancelUrl?: string }) {
  const successUrl = ownAddress(site, requested.successUrl || '/payment/success', 'successUrl')
  const cancelUrl = ownAddress(site, requested.cancelUrl || '/payment/cancel', 'cancelUrl')
  return { successUrl: withSessionId(successUrl), cancelUrl: cancelUrl.href }
}

function ownAddress(site: Site, address: string, field: string): URL {
  const url = URL.parse(address, site.origin)
  if (url && originsOf(site).includes(url.origin) && !url.username && !url.password) return url
  throw fieldError(field, 'The return address must be on this site.')
}

/** The demo is reachable under several host names. */
function originsOf({ demo, mode, origin }: Site): string[] {
  const { port, protocol } = new URL(origin)
  const others = mode === 'demo' ? demo.hosts.map(host => `${protocol}//${host}${port && `:${port}`}`) : []
  return [new URL(origin).origin, ...others]
}

/** The provider replaces its placeholder literally, so the braces must not be escaped. */
function withSessionId(url: URL): string {
  const escaped = encodeURIComponent(sessionIdPlaceholder)
  const hasPlaceholder = [...url.searchParams.values()].some(value => value.includes(sessionIdPlaceholder))
  if (!hasPlaceholder) url.searchParams.set('session_id', sessionIdPlaceholder)
  return url.href.replaceAll(
    new RegExp(`${escaped}|${encodeURI(sessionIdPlaceholder)}`, 'gi'),
    sessionIdPlaceholder,
  )
}

/** A checkout that expires sooner than this is replaced, not reused. */
const minTimeLeftMs = 5 * 60 * 1000
const intentLock = createKeyedLock()

/**
 * Starts a payment by card or from a bank account, or deposit and rent in one checkout; returns the URL for the browser.
 * There is one open checkout per tenant, application and type: the same amounts by the same method reuse it, different
 * ones replace it.
 * @throws AppError bad_request for a wrong amount, fee, total or return URL; forbidden for an admin; not_found for
 * another tenant’s application; conflict for a declined application or a draft, a paid deposit, a payment in progress or
 * bank payments that are off; too_many; provider_failed; unavailable
 */
export async function createCheckoutSession(deps: Deps, actor: SignedIn, input: CheckoutInput) {
  const tenant = requireTenant(actor, 'Only the tenant can pay by card. Please add a manual payment instead.')
  const urls = returnUrls(deps.config, input)
  requirePayable(deps, deps.db, tenant, input)
  requireProvider(deps)
  await deps.limits.consume('checkoutByUser', tenant.userId)
  await deps.limits.consume('checkoutByUserAndDay', tenant.userId)
  const { userId } = tenant
  const { applicationId } = input
  const intent = { userId, applicationId, types: linesOf(input).map(({ paymentType }) => paymentType) }
  return intentLock(`${userId} ${applicationId}`, async () => {
    for (const open of openCheckouts(deps, intent)) {
      const url = await reuseOrReplace(deps, open, input)
      if (url) return { url }
    }
    // A session of a failed attempt must not stay open next to the new one.
    await lookUpSessions(deps, retriedCheckouts(deps, intent)).catch(cause => {
      throw new AppError('provider_failed', 'Failed to create checkout session', { cause })
    })
    const payment = await deps.write(tx => {
      // Checked again in the transaction: an open checkout may have been paid since.
      requirePayable(deps, tx, tenant, input)
      // The lock covers only this process: with a second process, two checkouts could be open and both be paid.
      if (openCheckouts({ db: tx }, intent).length > 0)
        throw new AppError('conflict', 'Another checkout was opened in the meantime. Please try again.')
      const [lead, ...others] = newPayments(deps, tenant, input, urls)
      for (const row of [lead, ...others]) {
        tx.insert(payments).values(row).run()
        recordEvent(tx, row.createdAt, actor, 'payment.checkout_started', row.id, {
          amountCents: row.amountCents,
          feeCents: row.feeCents,
        })
      }
      return findPayment(tx, lead.id)
    })
    if (!payment) throw new Error('the payment that was just written is gone')
    const opened = await openSession(deps, payment)
    if (isCancelRequested(opened) || opened.status === 'canceled') {
      await closeCheckout(deps, opened)
      requirePayable(deps, deps.db, tenant, input)
      throw new AppError('conflict', 'This checkout has been closed in the meantime. Please try again.')
    }
    return { url: isPaidOrProcessing(opened) ? successUrlOf(opened) : urlOf(opened) }
  })
}

/** Computes every amount here; the browser's must match. */
function requirePayable(deps: Deps, db: Db, tenant: Tenant, input: CheckoutInput): void {
  const record = input.applicationId ? getOwnApplication(db, tenant, input.applicationId) : null
  const ended = endedMessage(record?.application.status ?? '', 'Nothing can be paid for it.')
  if (ended) throw new AppError('conflict', ended)
  if (record?.application.status === 'draft')
    throw new AppError('conflict', 'This application was not submitted yet. Nothing can be paid for it.')
  const lines = linesOf(input)
  const isBank = input.providerMethod === 'us_bank_account'
  if (isBank) requireBankPayment(db, lines)
  else requireCardFee(deps, lines)
  const totalCents = lines.reduce((sum, { amount, creditCardFee }) => sum + amount + creditCardFee, 0)
  if (input.totalAmount !== totalCents)
    throw fieldError(
      'totalAmount',
      isBank
        ? 'The total of a payment from a bank account is its amount.'
        : 'The total is not the amount plus the card fee.',
    )
  const plan = record && planStateOf(deps, db, record)
  const rows = record ? ledgerOf(db, record.application) : unlinkedLedger(db, tenant.userId)
  for (const line of lines) {
    requireNotOnItsWay(rows, line, Boolean(plan))
    if (plan) requirePlanAmount(plan, line)
    if (plan || line.paymentType !== 'deposit') continue
    const { depositDueCents, open } = record
      ? moneyOf(db, record.application)
      : unlinkedMoney(db, tenant.userId)
    if (depositDueCents === 0) throw new AppError('conflict', 'The security deposit has already been paid.')
    // If rent was overpaid, less of the deposit is open than is due; paying that amount settles the balance.
    if (line.amount !== depositDueCents && line.amount !== open.depositCents)
      throw fieldError('amount', validAmountMessage)
  }
}

function requireCardFee(deps: Deps, lines: readonly CheckoutLine[]): void {
  for (const { amount, creditCardFee } of lines)
    if (creditCardFee !== cardFeeCents(amount, readCardFee(deps)))
      throw fieldError('creditCardFee', 'The card fee is not right.')
}

/** Checks that the owner and the provider allow bank payments, and that there is no fee (BANK-02, -04, -13). */
function requireBankPayment(db: Db, lines: readonly CheckoutLine[]): void {
  if (!bankSettings(db).body.enabled) throw new AppError('conflict', bankMessages.notOffered)
  if (bankRefusal(db)) throw new AppError('conflict', bankMessages.unavailable)
  if (lines.some(({ creditCardFee }) => creditCardFee !== 0))
    throw fieldError('creditCardFee', 'A payment from a bank account carries no fee.')
}

/**
 * Rejects what would be paid twice while the first payment has neither arrived nor failed: the deposit, and without a
 * payment plan the same amount again (BANK-07). With a plan the open amount decides.
 */
function requireNotOnItsWay(
  rows: readonly PaymentRow[],
  { amount, paymentType }: CheckoutLine,
  hasPlan: boolean,
): void {
  const coming = rows.filter(row => row.status === 'processing' && row.type === paymentType)
  const isRefused =
    paymentType === 'deposit' ? coming.length > 0 : !hasPlan && coming.some(row => row.amountCents === amount)
  if (!isRefused) return
  const cents = coming.reduce((sum, { amountCents }) => sum + amountCents, 0)
  throw new AppError('conflict', planMessages.onItsWay(cents))
}

/**
 * Checks an amount against the payment plan before a tenant pays it: rent up to everything open except the deposit, a
 * deposit exactly its open part, or its next installment if it has several (PLAN-27, CHG-31). Cents.
 * @throws AppError conflict for more than is open, and if nothing is open; bad_request for another amount of the
 * deposit
 */
function requirePlanAmount(
  { installments, money }: Pick<PlanState, 'installments' | 'money'>,
  { amount, paymentType }: CheckoutLine,
): void {
  if (paymentType === 'rent') {
    const problem = rentError(amount, installments, money)
    if (problem) throw new AppError('conflict', problem)
    return
  }
  const parts = depositParts(installments, money)
  const [next] = parts
  if (!next) throw new AppError('conflict', 'The security deposit has already been paid.')
  const openCents = parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
  if (amount !== openCents && amount !== next.amountCents) throw fieldError('amount', validAmountMessage)
}

function newPayments(
  deps: Deps,
  tenant: Tenant,
  input: CheckoutInput,
  urls: { successUrl: string; cancelUrl: string },
) {
  const leadId = randomUUID()
  const rowOf = ({ amount, creditCardFee, paymentType }: CheckoutLine) => ({
    id: leadId,
    checkoutLeadId: null,
    userId: tenant.userId,
    applicationId: input.applicationId ?? null,
    type: paymentType,
    method: 'card' as const,
    providerMethod: input.providerMethod,
    status: 'pending' as const,
    amountCents: amount,
    feeCents: creditCardFee,
    description: input.description,
    createdAt: nowIso(deps),
    checkoutExpiresAt: new Date(deps.clock.now().getTime() + checkoutLifetimeMs).toISOString(),
    ...urls,
  })
  const [first, ...others] = linesOf(input)
  const rest = others.map(line => ({ ...rowOf(line), id: randomUUID(), checkoutLeadId: leadId }))
  return [rowOf(first), ...rest] as const
}

/**
 * The URL of an open checkout that can be reused. Otherwise closes the checkout, or reconciles it if it was paid.
 * @throws AppError provider_failed when the provider does not respond
 */
async function reuseOrReplace(
  deps: Deps,
  payment: PaymentRow,
  input: CheckoutInput,
): Promise<string | undefined> {
  const lines = linesOf(input)
  const rows = checkoutRows(deps.db, payment)
  const isSame =
    rows.length === lines.length &&
    rows.every(({ amountCents, feeCents, providerMethod, type }, i) => {
      const line = lines[i]
      const isOfType = type === line?.paymentType && (providerMethod ?? 'card') === input.providerMethod
      return isOfType && amountCents === line.amount && feeCents === line.creditCardFee
    })
  const isWanted = isSame && hasTimeLeft(deps, payment) && !isCancelRequested(payment)
  // A first attempt without a response may still be in flight; a retry with its idempotency key settles that.
  const hasNoResponse = payment.checkoutAttempt === 0 && !isCancelRequested(payment)
  const shouldOpen = payment.checkoutSessionId === null && (isWanted || hasNoResponse)
  const opened = shouldOpen ? await retryOpen(deps, payment, isWanted) : payment
  if (!opened) return undefined
  if (!isWanted || !opened.checkoutSessionId) {
    await closeCheckout(deps, opened)
    return undefined
  }
  // The checkout may have been paid since; without a response from the provider it is reused unchecked.
  const isKnown = await syncSession(deps, opened.checkoutSessionId).catch(error => {
    deps.log.warn({ err: error, paymentId: payment.id }, 'an open checkout is reused without a check')
    return true
  })
  if (!isKnown) await deps.write(tx => advanceStatus(tx, opened, 'canceled'))
  const now = findPayment(deps.db, payment.id)
  if (now?.status !== 'pending') return undefined
  if (!isCancelRequested(now)) return urlOf(now)
  await closeCheckout(deps, now)
  return undefined
}

/** Retries an attempt without a response with the same idempotency key; undefined when the provider refuses it. */
async function retryOpen(
  deps: Deps,
  payment: PaymentRow,
  isWanted: boolean,
): Promise<PaymentRow | undefined> {
  return openSession(deps, payment).catch(error => {
    const now = findPayment(deps.db, payment.id)
    if (now?.status === 'canceled') return undefined
    // The attempt failed for good; closing the checkout looks up any session that it left behind.
    if (!isWanted && now && now.checkoutAttempt > payment.checkoutAttempt) return now
    throw error
  })
}

/**
 * Closes the checkout of a payment; one that was paid in the meantime is reconciled instead.
 * @throws AppError provider_failed when the provider does not respond, or keeps the checkout open
 */
export async function closeCheckout(
  deps: Deps,
  payment: PaymentRow,
  sentence = 'Failed to create checkout session',
): Promise<void> {
  requireProvider(deps)
  const [lead = payment] = checkoutRows(deps.db, payment)
  let isKnown: boolean
  try {
    const { checkoutSessionId } = await lookUpOrCancel(deps, lead)
    if (!checkoutSessionId) return
    isKnown = await expireSession(deps, checkoutSessionId)
  } catch (cause) {
    throw new AppError('provider_failed', sentence, { cause })
  }
  if (!isKnown) await deps.write(tx => advanceStatus(tx, payment, 'canceled'))
  else if (findPayment(deps.db, payment.id)?.status === 'pending')
    throw new AppError('provider_failed', sentence)
}

function hasTimeLeft({ clock }: Deps, { checkoutExpiresAt }: PaymentRow): boolean {
  return Date.parse(checkoutExpiresAt ?? '') - clock.now().getTime() > minTimeLeftMs
}

/** The webhook arrived before the response to our request: nothing is left to pay. */
const isPaidOrProcessing = ({ paidAt, status }: PaymentRow) => paidAt !== null || status === 'processing'

function successUrlOf({ checkoutSessionId, successUrl }: OpenPayment): string {
  return (successUrl ?? '').replaceAll(sessionIdPlaceholder, checkoutSessionId)
}

function urlOf(payment: PaymentRow): string {
  if (!payment.checkoutUrl) throw new AppError('provider_failed', 'Failed to create checkout session')
  return payment.checkoutUrl
}
