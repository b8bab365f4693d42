import { and, desc, eq, gt, isNotNull, isNull, lt, lte, ne, or } from 'drizzle-orm'
import type { Db } from '../../../../../db/open.ts'
import { isUnfinishedPayment, payments, refunds } from '../../../../../db/schema.ts'
import { clockToleranceMs } from '../../../../domain/common/dates.ts'
import { dayMs, hourMs } from '../../../../domain/common/durations.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { type Repeated, repeat } from '../../../kernel/repeat.ts'
import { isJustRestored, readRestored } from '../../../kernel/restored.ts'
import { holdingMails } from '../../../mail/outbox.ts'
import { fillCardDetails, fillProviderFee } from '../receipts.ts'
import { isCaughtUp } from '../reconcile/catch-up.ts'
import { refreshRefunds, refundsUnderWay, setAsidePayment, syncSession } from '../reconcile/provider-sync.ts'
import { advanceStatus } from '../reconcile/reconcile.ts'
import { findPayment, isCancelRequested, type PaymentRow } from '../records.ts'
import { isUnreachable } from '../stripe.ts'
import { closeCheckout } from './checkout.ts'
import { hasRetriedCheckout, lookUp, lookUpSessions, openSession } from './checkout-session.ts'

const pollIntervalMs = 3 * 60 * 1000
/** Younger payments are still being handled by a request. */
const minAgeMs = 2 * 60 * 1000
const cardDetailsWindowMs = 30 * dayMs
/** How many unknown fees a round asks for, each at most once a day. */
const feesAtOnce = 20
const askFeeAgainMs = dayMs
/** A bank payment takes days, so it is polled less often once it is older than this (BANK-14). */
const slowAfterMs = dayMs
const slowPollMs = hourMs

/**
 * Syncs every unfinished payment with the provider: open checkouts, pending refunds, missing card details; closes the
 * checkouts of canceled payments. One failure does not stop the rest, but an unreachable provider ends the round; the
 * next one begins behind the payment that had no response, which may be the only one without (FIX-39).
 */
export async function sweepPayments(given: Deps): Promise<{ checked: number; reachable: boolean }> {
  const restore = readRestored(given.db)
  // It can learn of a payment before the provider’s events are fetched.
  const isBehind = restore && isJustRestored(given) && !isCaughtUp(given.db, restore.at)
  const deps = isBehind ? holdingMails(given) : given
  if (!deps.provider) return { checked: 0, reachable: true }
  const work = startingBehind(lastWithoutResponse.get(deps.db), [
    ...unfinishedCheckouts(deps),
    ...retriedCheckoutTasks(deps),
    ...pendingRefunds(deps),
    ...missingCardDetails(deps),
    ...missingFees(deps),
  ])
  lastWithoutResponse.delete(deps.db)
  let checked = 0
  for (const [kind, paymentId, run] of work) {
    try {
      await run()
      checked++
    } catch (error) {
      deps.log.warn({ err: error, paymentId }, 'a payment will be checked again')
      if (!isUnreachable(error instanceof AppError ? error.cause : error)) continue
      lastWithoutResponse.set(deps.db, `${kind} ${paymentId}`)
      return { checked, reachable: false }
    }
  }
  return { checked, reachable: true }
}

type Task = [kind: string, paymentId: string, run: () => Promise<unknown>]

/** The task that ended the last round, as kind and payment. */
const lastWithoutResponse = new WeakMap<Db, string>()

function startingBehind(last: string | undefined, tasks: readonly Task[]): Task[] {
  const start = tasks.findIndex(([kind, paymentId]) => `${kind} ${paymentId}` === last) + 1
  return [...tasks.slice(start), ...tasks.slice(0, start)]
}

const before = ({ clock }: Deps, ms: number) => new Date(clock.now().getTime() - ms).toISOString()

function unfinishedCheckouts(deps: Deps): Task[] {
  const rows = deps.db
    .select()
    .from(payments)
    .where(
      and(
        isUnfinishedPayment,
        eq(payments.method, 'card'),
        isNull(payments.checkoutLeadId),
        or(
          lt(payments.createdAt, before(deps, minAgeMs)),
          // Begun while the clock was ahead.
          gt(payments.createdAt, before(deps, -clockToleranceMs)),
          isNotNull(payments.cancelRequestedAt),
          isNotNull(payments.voidedAt),
        ),
      ),
    )
    .orderBy(payments.createdAt)
    .all()
  const nowMs = deps.clock.now().getTime()
  const asked = new Map(rows.map(({ id }) => [id, lastAsked.get(deps.db)?.get(id)]))
  lastAsked.set(deps.db, asked)
  return rows
    .filter(row => !isSlow(row, nowMs) || !isRecent(asked.get(row.id), nowMs))
    .map(row => [
      'checkout',
      row.id,
      async () => {
        await finish(deps, row)
        asked.set(row.id, nowMs)
      },
    ])
}

/** When each unfinished payment was last polled, by id; lost at a restart, which only causes one extra poll. */
const lastAsked = new WeakMap<Db, Map<string, number | undefined>>()

/** A bank payment that has been processing for more than a day. */
const isSlow = ({ createdAt, providerMethod, status }: PaymentRow, nowMs: number) =>
  status === 'processing' &&
  providerMethod === 'us_bank_account' &&
  nowMs - Date.parse(createdAt) > slowAfterMs

/** Within the last hour in either direction, because the clock may have been set back. */
const isRecent = (atMs: number | undefined, nowMs: number) =>
  atMs !== undefined && Math.abs(nowMs - atMs) < slowPollMs

/** Syncs the open checkouts of an application. Rejects when the provider does not respond, or there is none to ask. */
export async function syncCheckouts(deps: Deps, applicationId: string): Promise<void> {
  const isOpen = and(
    eq(payments.applicationId, applicationId),
    eq(payments.method, 'card'),
    eq(payments.status, 'pending'),
    isNull(payments.checkoutLeadId),
  )
  for (const row of deps.db.select().from(payments).where(isOpen).all()) await finish(deps, row)
}

async function finish(deps: Deps, { id }: PaymentRow): Promise<void> {
  const row = findPayment(deps.db, id)
  if (!row) return
  if (row.status === 'pending' && isCancelRequested(row)) return closeCheckout(deps, row)
  const opened = row.checkoutSessionId ? row : await reopen(deps, row)
  if (!opened) return
  const isKnown = await syncSession(deps, opened.checkoutSessionId ?? '')
  // Unknown to the provider, for example after a change of API keys: what has expired can no longer be paid, but what is
  // on its way still arrives, in the other account.
  if (!isKnown && (row.checkoutExpiresAt ?? '') < nowIso(deps))
    await deps.write(tx =>
      opened.status === 'processing'
        ? setAsidePayment(deps, tx, opened, {
            kind: 'unknown',
            what: 'is on its way, perhaps to another account. Enter the keys of the account in which it was begun, until it has arrived.',
          })
        : advanceStatus(tx, opened, 'canceled'),
    )
  await fillCardDetails(deps, row.id)
}

/** Retries only with the first idempotency key; starting another attempt is up to the tenant. */
async function reopen(deps: Deps, row: PaymentRow): Promise<PaymentRow | undefined> {
  if (row.checkoutAttempt === 0) return openSession(deps, row)
  const found = await lookUp(deps, row)
  if (found.checkoutSessionId) return found
  if ((row.checkoutExpiresAt ?? '') < nowIso(deps))
    await deps.write(tx => advanceStatus(tx, found, 'canceled'))
  return undefined
}

/** A failed attempt may have left a session that only a lookup finds. */
function retriedCheckoutTasks(deps: Deps): Task[] {
  const rows = deps.db
    .select()
    .from(payments)
    .where(
      and(
        hasRetriedCheckout(deps),
        or(ne(payments.status, 'pending'), isNotNull(payments.checkoutSessionId)),
      ),
    )
    .all()
  return rows.map(row => ['retried checkout', row.id, () => lookUpSessions(deps, [row])])
}

function pendingRefunds(deps: Deps): Task[] {
  const rows = deps.db.selectDistinct({ id: refunds.paymentId }).from(refunds).where(refundsUnderWay).all()
  return rows.map(({ id }) => [
    'refund',
    id,
    async () => {
      const row = findPayment(deps.db, id)
      if (row) await refreshRefunds(deps, row)
    },
  ])
}

function missingCardDetails(deps: Deps): Task[] {
  const rows = deps.db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.method, 'card'),
        gt(payments.paidAt, before(deps, cardDetailsWindowMs)),
        isNotNull(payments.stripePaymentIntentId),
        isNull(payments.stripeChargeId),
      ),
    )
    .all()
  return rows.map(({ id }) => ['card details', id, () => fillCardDetails(deps, id)])
}

/** Older payments too, newest first: the provider answers for all of them (BOOK-12). */
function missingFees(deps: Deps): Task[] {
  const nowMs = deps.clock.now().getTime()
  const asked = feeAsked.get(deps.db) ?? new Map<string, number>()
  feeAsked.set(deps.db, asked)
  return deps.db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.method, 'card'),
        isNull(payments.checkoutLeadId),
        isNull(payments.providerFeeCents),
        isNotNull(payments.stripePaymentIntentId),
        isNotNull(payments.paidAt),
        or(isNotNull(payments.stripeChargeId), lte(payments.paidAt, before(deps, cardDetailsWindowMs))),
      ),
    )
    .orderBy(desc(payments.paidAt))
    .all()
    .filter(({ id }) => Math.abs(nowMs - (asked.get(id) ?? 0)) > askFeeAgainMs)
    .slice(0, feesAtOnce)
    .map(({ id }) => [
      'fee',
      id,
      () => {
        asked.set(id, nowMs)
        return fillProviderFee(deps, id)
      },
    ])
}

/** When the fee of each payment was last asked for, by id; lost at a restart, which only causes one extra question. */
const feeAsked = new WeakMap<Db, Map<string, number>>()

/** Sweeps now and every three minutes, one round at a time, until stopped. */
export const startPaymentSweep = (deps: Deps): Repeated =>
  repeat(deps, sweepPayments, 'the sweep of payments failed', pollIntervalMs)
