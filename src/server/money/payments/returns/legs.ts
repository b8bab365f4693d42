import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import type { Db, Tx } from '../../../../../db/open.ts'
import {
  applications,
  cancellations,
  disputes,
  payments,
  refunds,
  returnLegs,
  users,
} from '../../../../../db/schema.ts'
import { type Actor, system } from '../../../../domain/accounts/access.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { depositRefusals } from '../../../../domain/money/deposit-case.ts'
import {
  isRefundCounted,
  leftOfTotalCents,
  openDisputeStatuses,
  shareRefund,
} from '../../../../domain/money/ledger.ts'
import { bankRefundError } from '../../../../domain/money/payment.ts'
import {
  isUnderWay,
  type LegCause,
  type PlannedLeg,
  type ReturnSource,
  sourceLabel,
} from '../../../../domain/money/return-plan.ts'
import { recordEvent } from '../../../kernel/audit.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { cancelUnsentMail, enqueueMail } from '../../../mail/outbox.ts'
import { accountKeyOf, accountOf, inDisputeOf } from '../../accounts.ts'
import { findPayment, type PaymentRow } from '../records.ts'

export type LegRow = typeof returnLegs.$inferSelect

/** The idempotency key of an attempt, also the id of its row of `refunds` while the provider's own is not known. */
export const attemptKey = ({ attempts, id }: Pick<LegRow, 'attempts' | 'id'>): string =>
  `leg-${id}-${attempts}`
export const isAttemptKey = sql`${refunds.id} like 'leg-%'`

/** The legs of an application, or of one request, in the order in which they were written. */
export const legsOf = (db: Db, of: { applicationId: string } | { causeId: string }): LegRow[] =>
  db
    .select()
    .from(returnLegs)
    .where(
      'causeId' in of ? eq(returnLegs.causeId, of.causeId) : eq(returnLegs.applicationId, of.applicationId),
    )
    .orderBy(sql`${returnLegs}.rowid`)
    .all()

export const findLeg = (db: Db, where: SQL | undefined): LegRow | undefined =>
  db.select().from(returnLegs).where(where).get()

/** What can still be refunded of these payments through the provider, the newest first (DEP-29). */
export function sourcesOf({ clock, provider }: Deps, db: Db, rows: readonly PaymentRow[]): ReturnSource[] {
  if (!provider) return []
  return rows
    .filter(row => row.status === 'succeeded' && row.voidedAt === null && row.method === 'card')
    .filter(row => row.stripePaymentIntentId !== null && !bankRefundError(row, clock.now()))
    .toSorted((a, b) => (b.paidAt ?? '').localeCompare(a.paidAt ?? ''))
    .map((row): ReturnSource => {
      const { amountCents, feeCents, id: paymentId, lostAmountCents, providerMethod } = row
      const made = db.select().from(refunds).where(eq(refunds.paymentId, paymentId)).all()
      const totalOf = (isOfIt: (status: string) => boolean) =>
        made.reduce((sum, { status, totalCents }) => sum + (isOfIt(status) ? totalCents : 0), 0)
      const requestedCents = totalOf(status => status === 'requested')
      const refundedTotalCents = requestedCents + totalOf(isRefundCounted)
      const refunded = shareRefund({ amountCents, feeCents }, refundedTotalCents)
      return {
        paymentId,
        amountCents,
        feeCents,
        refundedTotalCents,
        by: providerMethod === 'us_bank_account' ? 'bank' : 'card',
        leftCents: amountCents - refunded.amountCents - lostAmountCents,
        leftTotalCents: leftOfTotalCents(row) - requestedCents,
      }
    })
    .filter(({ leftCents }) => leftCents > 0)
}

type NewReturn = {
  applicationId: string
  cause: LegCause
  causeId: string
  kind: LegRow['kind']
  legs: readonly PlannedLeg[]
  /** Writes the ledger row of a leg by hand; returns its id. Without it such a leg waits for the owner. */
  byHand?: (leg: PlannedLeg) => string
}

/**
 * Writes legs of a return before the provider is asked (DEP-33), after those of the same cause. From now on they are under
 * way, so that nothing else can take their money.
 */
export function writeLegs(deps: Deps, tx: Tx, actor: Actor, { byHand, kind, legs, ...of }: NewReturn): void {
  const at = nowIso(deps)
  const written = legsOf(tx, of).length
  for (const [i, leg] of legs.entries()) {
    const isHand = leg.by === 'hand'
    const rowId = isHand ? (byHand?.(leg) ?? null) : null
    const row: LegRow = {
      ...of,
      ...leg,
      kind,
      position: written + i,
      id: randomUUID(),
      error: null,
      refundId: null,
      state: rowId === null ? 'waiting' : 'done',
      attempts: isHand ? 0 : 1,
      rowId,
      createdAt: at,
      updatedAt: at,
    }
    tx.insert(returnLegs).values(row).run()
    if (!isHand) requestRefund(tx, at, row)
    const detail = { legId: row.id, by: leg.by, totalCents: leg.totalCents }
    recordEvent(tx, at, actor, `${row.cause}.returned`, of.applicationId, detail)
  }
  mailEnd(tx, at, of)
}

/** Whether what goes back is a deposit's return, or a refund of something else. */
export const purposeOf = ({ kind }: LegRow) => (kind === 'deposit' ? 'deposit_return' : 'refund')

export function requestRefund(tx: Tx, at: string, leg: LegRow): void {
  const { paymentId, totalCents } = leg
  if (paymentId === null) return
  const row = { paymentId, totalCents, status: 'requested', purpose: purposeOf(leg), createdAt: at } as const
  tx.insert(refunds)
    .values({ id: attemptKey(leg), ...row })
    .run()
}

/** The leg that a refund at the provider was asked for. */
export const legOfRequest = (db: Db, requestId: string): LegRow | undefined => {
  const [, id] = /^leg-(.+)-\d+$/.exec(requestId) ?? []
  return id === undefined ? undefined : findLeg(db, eq(returnLegs.id, id))
}

/** A leg follows its refund at the provider, which may still fail after it was made (DEP-38). */
export function followRefund(deps: Deps, tx: Tx, leg: LegRow, refund: Stripe.Refund): void {
  const isMade = isRefundCounted(refund.status ?? 'pending')
  // Another attempt has made it meanwhile: this one failing changes nothing.
  if (!isMade && leg.refundId !== null && leg.refundId !== refund.id) return
  const state = !isMade ? 'failed' : refund.status === 'succeeded' ? 'done' : 'sent'
  setLeg(deps, tx, leg, { state, refundId: refund.id, error: isMade ? null : reasonOf(refund) })
}

const reasonOf = ({ failure_reason: reason }: Stripe.Refund) =>
  reason
    ? `${reason.charAt(0).toUpperCase()}${reason.slice(1).replaceAll('_', ' ')}.`
    : 'The refund did not go through.'

/** The provider refused the leg: its money is free again (DEP-35). */
export function failLeg(deps: Deps, tx: Tx, leg: LegRow, error: string): void {
  endAttempt(tx, leg)
  setLeg(deps, tx, leg, { state: 'failed', error })
}

export function endAttempt(tx: Tx, leg: LegRow): void {
  tx.update(refunds)
    .set({ status: 'failed' })
    .where(and(eq(refunds.id, attemptKey(leg)), inArray(refunds.status, ['requested', 'answered'])))
    .run()
}

/** A refund that fails after the stay was reinstated keeps its money with the booking (CHANGE-16). */
const isReinstated = (tx: Tx, { causeId }: LegRow): boolean =>
  tx.select().from(cancellations).where(eq(cancellations.id, causeId)).get()?.state === 'reinstated'

export function setLeg(deps: Deps, tx: Tx, leg: LegRow, given: Partial<LegRow>): void {
  const at = nowIso(deps)
  const set: Partial<LegRow> =
    given.state === 'failed' && isReinstated(tx, leg) ? { ...given, state: 'withdrawn' } : given
  tx.update(returnLegs)
    .set({ ...set, updatedAt: at })
    .where(eq(returnLegs.id, leg.id))
    .run()
  const detail = { legId: leg.id, error: set.error ?? null }
  if (set.state !== undefined && set.state !== leg.state)
    recordEvent(tx, at, system, `${leg.cause}.leg_${set.state}`, leg.applicationId, detail)
  // A return that was undone before its mail was sent is not mentioned.
  if (leg.state === 'done' && (set.state ?? 'done') !== 'done') cancelUnsentMail(tx, endMailKey(leg))
  mailEnd(tx, at, leg)
}

/**
 * The entry of a leg by hand was a mistake and is removed: a refund of a stay that is still there and cancelled waits
 * again.
 */
export function withdrawLeg(deps: Deps, tx: Tx, rowId: string): void {
  const leg = findLeg(tx, eq(returnLegs.rowId, rowId))
  if (!leg) return
  const isOf = and(eq(applications.id, leg.applicationId), isNull(applications.deletedAt))
  const isThere = tx.select({ id: applications.id }).from(applications).where(isOf).get() !== undefined
  const waits = leg.cause === 'cancellation' && isThere && !isReinstated(tx, leg)
  setLeg(deps, tx, leg, waits ? { state: 'waiting', rowId: null } : { state: 'withdrawn' })
}

/** Once the last leg of a request has ended, the tenant gets one mail about all of them (DEP-39). */
function mailEnd(tx: Tx, at: string, of: Pick<LegRow, 'applicationId' | 'causeId'>): void {
  const { applicationId, causeId } = of
  const legs = legsOf(tx, { causeId })
  const done = legs.filter(({ cause, state }) => cause === 'deposit' && state === 'done')
  if (legs.some(({ state }) => isUnderWay(state)) || done.length === 0) return
  const tenant = tx
    .select({ email: users.email, firstName: applications.firstName, applicationNumber: applications.number })
    .from(applications)
    .innerJoin(users, eq(users.id, applications.userId))
    .where(eq(applications.id, applicationId))
    .get()
  if (!tenant) return
  const { email: to, ...booking } = tenant
  const ways = done.map(({ paymentId, rowId, totalCents }): [string, number] => {
    const row = findPayment(tx, paymentId ?? rowId ?? '')
    return [row ? sourceLabel(row) : '', totalCents]
  })
  const byHand = done.every(({ by }) => by === 'hand')
  const feeCents = done.reduce((sum, { amountCents, totalCents }) => sum + totalCents - amountCents, 0)
  const props = { ...booking, applicationId, ways, feeCents, byHand }
  enqueueMail(tx, at, { kind: 'deposit-returned', props, to, dedupeKey: endMailKey(of) })
}

const endMailKey = ({ causeId }: Pick<LegRow, 'causeId'>) => `deposit-returned:${causeId}`

/** @throws AppError conflict while a payment of the deposit, or of what was moved to it, is on its way or disputed (DEP-37) */
export function requireSettledDeposit(db: Db, applicationId: string): void {
  const isOpen = sql`(${payments.status} = 'processing' or exists (select 1 from ${disputes}
    where ${disputes.paymentId} = ${payments.id} and ${inArray(disputes.status, [...openDisputeStatuses])}))`
  const unsettled = db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        or(eq(payments.applicationId, applicationId), eq(payments.formerApplicationId, applicationId)),
        eq(payments.type, 'deposit'),
        isNull(payments.voidedAt),
        isOpen,
      ),
    )
    .get()
  const application = db.select().from(applications).where(eq(applications.id, applicationId)).get()
  const account = application && accountOf(db, accountKeyOf(application))
  if (unsettled || (account && inDisputeOf(db, account).depositCents > 0))
    throw new AppError('conflict', depositRefusals.unsettled)
}
