import { and, eq, ne, sql } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Tx } from '../../../../../db/open.ts'
import { returnLegs } from '../../../../../db/schema.ts'
import { hourMs } from '../../../../domain/common/durations.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { createKeyedLock } from '../../../lib/keyed-lock.ts'
import { refreshRefunds } from '../reconcile/provider-sync.ts'
import { recomputeStatus, upsertRefund } from '../reconcile/reconcile.ts'
import { checkoutRows, findPayment } from '../records.ts'
import { isNotFound, isRefusal } from '../stripe.ts'
import {
  attemptKey,
  endAttempt,
  failLeg,
  findLeg,
  type LegRow,
  purposeOf,
  requestRefund,
  setLeg,
} from './legs.ts'

/** The provider forgets an idempotency key after 24 hours. */
const keyLifeMs = 23 * hourMs
const legLock = createKeyedLock()

/**
 * Asks the provider for all refunds that are waiting, one leg after the other; a failure of one does not stop the others
 * (DEP-33 to DEP-35). Runs after a return is written, at the start and every minute.
 * @param of one request; `isNew` if nobody can have asked for its legs yet
 */
export async function runLegs(deps: Deps, of?: { causeId: string; isNew: boolean }): Promise<void> {
  if (!deps.provider) return
  const waiting = deps.db
    .select({ id: returnLegs.id })
    .from(returnLegs)
    .where(
      and(
        eq(returnLegs.state, 'waiting'),
        ne(returnLegs.by, 'hand'),
        of && eq(returnLegs.causeId, of.causeId),
      ),
    )
    .orderBy(sql`${returnLegs}.rowid`)
    .all()
  for (const { id } of waiting)
    await legLock(id, () => runLeg(deps, id, of?.isNew === true)).catch(error =>
      deps.log.warn({ err: error, legId: id }, 'a return will be tried again'),
    )
}

/** Asks the provider what has become of a refund on its way. @throws AppError provider_failed */
export async function refreshLeg(deps: Deps, id: string): Promise<void> {
  const payment = findPayment(deps.db, findLeg(deps.db, eq(returnLegs.id, id))?.paymentId ?? '')
  if (!payment) return
  await legLock(id, () => refreshRefunds(deps, payment)).catch(cause => {
    throw noAnswer(cause)
  })
}

export const noAnswer = (cause?: unknown) =>
  new AppError('provider_failed', 'The card provider did not answer. Please try again in a few minutes.', {
    cause,
  })

const findWaiting = ({ db }: Deps, id: string): LegRow | undefined =>
  findLeg(db, and(eq(returnLegs.id, id), eq(returnLegs.state, 'waiting')))

/** Rejects when the provider does not answer: then the next run goes on. */
async function runLeg(deps: Deps, id: string, isNew: boolean): Promise<void> {
  const payment = findPayment(deps.db, findWaiting(deps, id)?.paymentId ?? '')
  if (!payment) return
  // It may have been made without its answer reaching us.
  if (!isNew)
    await refreshRefunds(deps, payment).catch(error => {
      // Of another account: the provider refuses the refund below.
      if (!isNotFound(error)) throw error
    })
  const leg = findWaiting(deps, id)
  if (!leg) return
  if (isTooOld(deps, leg))
    return deps.write(tx => failLeg(deps, tx, leg, 'The card provider has not answered for 23 hours.'))
  const refund = await askProvider(deps, leg, payment.stripePaymentIntentId ?? '')
  failpoint('leg-answered')
  if (!refund) return
  await deps.write(tx => {
    upsertRefund(deps, tx, checkoutRows(tx, payment), refund)
    recomputeStatus(tx, payment)
  })
  failpoint('leg-stored')
}

/** Not one that is ahead of the clock: the clock was wrong then, and the provider has just said that there is no refund. */
const isTooOld = ({ clock }: Deps, { createdAt }: LegRow) =>
  clock.now().getTime() - Date.parse(createdAt) > keyLifeMs

/** Undefined if the provider refused, or failed itself. @throws whatever leaves open whether the refund was made */
async function askProvider(deps: Deps, leg: LegRow, intentId: string): Promise<Stripe.Refund | undefined> {
  const key = attemptKey(leg)
  try {
    return await deps.provider?.stripe.refunds.create(
      {
        payment_intent: intentId,
        amount: leg.totalCents,
        reason: 'requested_by_customer',
        metadata: { requestId: key, leg: leg.id, purpose: purposeOf(leg) },
      },
      { idempotencyKey: key, maxNetworkRetries: 0 },
    )
  } catch (error) {
    if (isRefusal(error)) await deps.write(tx => failLeg(deps, tx, leg, error.message))
    else if (isServerError(error)) await deps.write(tx => beginAttempt(deps, tx, leg))
    else throw error
    return undefined
  }
}

/** The provider repeats an answer of 500 for the same key, so the next attempt needs another one. */
const isServerError = (error: unknown) =>
  error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= 500

function beginAttempt(deps: Deps, tx: Tx, leg: LegRow): void {
  endAttempt(tx, leg)
  // The stay may have been booked again meanwhile.
  if (findLeg(tx, eq(returnLegs.id, leg.id))?.state !== 'waiting') return
  const attempts = leg.attempts + 1
  setLeg(deps, tx, leg, { attempts })
  requestRefund(tx, nowIso(deps), { ...leg, attempts })
}
