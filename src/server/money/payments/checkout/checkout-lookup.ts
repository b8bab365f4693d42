import { and, eq, gt, isNull } from 'drizzle-orm'
import type Stripe from 'stripe'
import { payments } from '../../../../../db/schema.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { requireProvider } from '../../../kernel/payment-provider.ts'
import { findPayment, isCancelRequested, type PaymentRow } from '../../payment-records.ts'
import { syncSession } from '../reconcile/provider-sync.ts'
import { attachSession } from '../reconcile/reconcile.ts'
import { isRefusal, isUnreachable, requestOptions } from '../stripe.ts'

/** How far the provider's clock may be behind ours. */
const clockSkewMs = 60 * 60 * 1000
/** How long after its expiry a checkout is still looked up. */
const lookupWindowMs = 24 * 60 * 60 * 1000

/** Selects checkouts that may have several sessions at the provider, because an earlier attempt failed. */
export const hasRetriedCheckout = ({ clock }: Pick<Deps, 'clock'>) =>
  and(
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
    if (row.checkoutSessionId === null) attachSession(tx, paymentId, session)
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

/** A tenant's retried checkouts of one application and type. */
export function retriedCheckouts(
  deps: Deps,
  of: { userId: string; applicationId: string | undefined; type: PaymentRow['type'] },
): PaymentRow[] {
  return deps.db
    .select()
    .from(payments)
    .where(
      and(
        hasRetriedCheckout(deps),
        eq(payments.userId, of.userId),
        of.applicationId ? eq(payments.applicationId, of.applicationId) : isNull(payments.applicationId),
        eq(payments.type, of.type),
      ),
    )
    .all()
}
