import { and, desc, eq, gt, isNull } from 'drizzle-orm'
import Stripe from 'stripe'
import type { Tx } from '../../../../../db/open.ts'
import { isUnfinishedPayment, payments, refunds } from '../../../../../db/schema.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { dayMs } from '../../../../domain/common/durations.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import type { Deps } from '../../../kernel/deps.ts'
import {
  refreshRefunds,
  refundsUnderWay,
  setAside,
  setAsidePayment,
  syncSession,
} from '../reconcile/provider-sync.ts'
import { findPayment, type PaymentRow, totalOf } from '../records.ts'
import { isNotFound, requestOptions } from '../stripe.ts'
import { closeCheckout } from './checkout.ts'

/** The longest time in which money of a payment can go back: a bank's return, a dispute or a refund. */
const goesBackMs = 180 * dayMs

type Leave = { stays: boolean; write: (tx: Tx) => void }

/**
 * Closes open checkouts of the former account, whose payments would not be recorded after the change, and fetches its
 * refunds without an answer. What cannot be closed or fetched, because the former key was revoked, is a notice.
 * @returns whether the next key is of the same account, as far as payments tell, and what to write with the change: a
 * notice of the payments that stay in the former account
 * @throws AppError conflict while a bank payment or a refund is on its way there; provider_failed if the provider does not
 * say which payments are open there, or does not close one
 */
export async function leaveAccount(deps: Deps, next: Stripe): Promise<Leave> {
  const left: PaymentRow[] = []
  const unfinished = and(isUnfinishedPayment, eq(payments.method, 'card'), isNull(payments.checkoutLeadId))
  for (const row of deps.db.select().from(payments).where(unfinished).all())
    if (!(await isKnownTo(next, row))) left.push(row)
  for (const row of left.filter(({ status }) => status === 'processing'))
    await orSetAside(deps, row, arrived(deps, row), {
      kind: 'left',
      what: 'was on its way from the bank to the former account, whose key no longer works. Look there whether it arrived: then record it by hand. Delete it here in any case.',
    })
  await leaveRefunds(deps, next)
  for (const row of left.filter(({ status }) => status !== 'processing'))
    await orSetAside(
      deps,
      row,
      closeCheckout(
        deps,
        row,
        'An open checkout could not be closed in the former Stripe account, so nothing was changed. Please try again in a few minutes.',
      ),
      {
        kind: 'left',
        what: 'can still be made in the former account, whose key no longer works, and would not be recorded here. Expire its checkout there, or record the payment by hand once it was made.',
      },
    )
  return leavePayments(deps, next)
}

/** @throws AppError conflict, unless the former account is locked, so that nobody can say what became of the payment */
async function arrived(deps: Deps, { checkoutSessionId, id }: PaymentRow): Promise<void> {
  const cause = await syncSession(deps, checkoutSessionId ?? '').catch(error => error)
  if (findPayment(deps.db, id)?.status !== 'processing') return
  throw new AppError(
    'conflict',
    'A bank payment is on its way to the former Stripe account. Please change the account once it has arrived.',
    { cause },
  )
}

/** @throws AppError conflict while a refund is on its way; provider_failed */
async function leaveRefunds(deps: Deps, next: Stripe): Promise<void> {
  const underWay = () =>
    deps.db
      .selectDistinct({ row: payments })
      .from(refunds)
      .innerJoin(payments, eq(payments.id, refunds.paymentId))
      .where(refundsUnderWay)
      .all()
  const asked = new Set<string>()
  for (const { row } of underWay()) {
    if (await isKnownTo(next, row)) continue
    const fetched = refreshRefunds(deps, row).then(
      () => asked.add(row.id),
      cause => {
        throw new AppError(
          'provider_failed',
          'The former Stripe account did not say what became of a refund, so nothing was changed. Please try again in a few minutes.',
          { cause },
        )
      },
    )
    await orSetAside(deps, row, fetched, {
      kind: 'refund_left',
      what: 'has a refund in the former account, whose key no longer works. Look there whether it was made: this site does not learn of it.',
    })
  }
  if (underWay().some(({ row }) => asked.has(row.id)))
    throw new AppError(
      'conflict',
      'A refund is on its way in the former Stripe account. Please change the account once it is done.',
    )
}

/** Waits for something in the former account. If that is locked, the owner gets a notice instead. */
async function orSetAside(
  deps: Deps,
  row: PaymentRow,
  done: Promise<unknown>,
  trouble: Parameters<typeof setAsidePayment>[3],
): Promise<void> {
  await done.catch(async error => {
    if (!isLocked(error)) throw error
    deps.log.warn({ err: error, paymentId: row.id }, 'the former account is locked')
    await deps.write(tx => setAsidePayment(deps, tx, row, trouble))
  })
}

/** A notice of payments whose money may still go back in the former account, where this site no longer learns of it. */
async function leavePayments(deps: Deps, next: Stripe): Promise<Leave> {
  const since = new Date(deps.clock.now().getTime() - goesBackMs).toISOString()
  const rows = deps.db
    .select()
    .from(payments)
    .where(and(eq(payments.method, 'card'), gt(payments.paidAt, since)))
    .orderBy(desc(payments.paidAt))
    .all()
  const [newest] = rows
  if (!newest?.paidAt) return { stays: false, write: () => {} }
  if (await isKnownTo(next, newest)) return { stays: true, write: () => {} }
  const until = formatMomentDate(
    new Date(Date.parse(newest.paidAt) + goesBackMs).toISOString(),
    deps.config.site.timeZone,
  )
  const what =
    rows.length === 1
      ? `A payment of ${formatCents(totalOf(rows))} is`
      : `${rows.length} payments, ${formatCents(totalOf(rows))} in all, are`
  const write = (tx: Tx) =>
    setAside(deps, tx, {
      id: `former:${newest.checkoutSessionId}`,
      type: 'payment.former',
      reason: `${what} in the account that you have left. This site no longer learns of refunds, disputes and returns by a bank there: look for them in its dashboard until ${until}, and record by hand what went back.`,
      payload: '',
    })
  return { stays: false, write }
}

async function isKnownTo({ checkout }: Stripe, { checkoutSessionId }: PaymentRow): Promise<boolean> {
  if (checkoutSessionId === null) return false
  return checkout.sessions.retrieve(checkoutSessionId, {}, requestOptions).then(
    () => true,
    cause => {
      if (isNotFound(cause)) return false
      throw new AppError(
        'provider_failed',
        'Stripe did not say whether an open payment is in this account, so nothing was changed. Please try again in a few minutes; a restricted key must be allowed to read Checkout Sessions.',
        { cause },
      )
    },
  )
}

/** Whether the former account cannot be reached at all: its key was revoked, or cannot be read. */
function isLocked(error: unknown): boolean {
  if (!(error instanceof AppError)) return false
  const { cause, code } = error
  return (
    code === 'unavailable' ||
    isLocked(cause) ||
    cause instanceof Stripe.errors.StripeAuthenticationError ||
    cause instanceof Stripe.errors.StripePermissionError
  )
}
