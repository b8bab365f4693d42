import { randomUUID } from 'node:crypto'
import type { Tx } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { staySection } from '../../../domain/arrival/stay-settings.ts'
import { addDays, type CalendarDate, dateIn } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { middayIn } from '../../../domain/common/zoned-time.ts'
import { depositMessages, depositRefusals } from '../../../domain/money/deposit-case.ts'
import { depositSection } from '../../../domain/money/deposit-input.ts'
import { keptCents } from '../../../domain/money/ledger.ts'
import type { ManualPaymentInput, RecordReturnInput } from '../../../domain/money/payment-input.ts'
import { lostBefore, returnableFrom } from '../../../domain/money/transfer-losses.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { getApplicationRow, getFormerApplicationRow } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { requireSameRequest } from '../../kernel/same-request.ts'
import { readSection } from '../../site/settings.ts'
import { accountKeyOf, accountOf, accountsOfUser, bookingOf } from '../accounts.ts'
import { closeCanceledCheckouts, requestCancellationOfPaid } from './checkout/cancel.ts'
import { withinInvariants } from './ledger-invariants.ts'
import { adminPayment } from './queries.ts'
import { findPayment, type PaymentRow } from './records.ts'
import { requireSettledDeposit, writeLegs } from './returns/legs.ts'
import { markPaymentsSinceDecline } from './unexpected-payments.ts'

/**
 * Records a payment by check, cash or bank transfer (ADMAPP-33); sends no receipt. Closes open
 * checkouts for the same money (FIX-02). Repeating a `requestId` records nothing more.
 * @throws AppError not_found for an unknown application; bad_request for a future date; forbidden without a step-up if
 * the check number is more than a number, because the receipt shows it, and while arrival information is on, because a
 * paid stay is open for its guest
 */
export async function recordPayment(deps: Deps, actor: Admin, input: ManualPaymentInput) {
  const opensStays = readSection(deps.db, staySection).body.enabled
  if (opensStays || !/^\d{0,8}$/.test(input.checkNumber)) requireStepUp(deps, deps.db, actor)
  return storePayment(deps, actor, input)
}

/**
 * Does the work of `recordPayment` without a step-up check; also used for seeding the demo, where nobody is logged in.
 */
export async function storePayment(deps: Deps, actor: Admin, input: ManualPaymentInput) {
  // Tomorrow may be the caller's today.
  const paidAt = paidOn(deps, 'paymentDate', input.paymentDate, 1)
  const { canceled, id } = await deps.write(tx => {
    const application = getApplicationRow(tx, actor, input.applicationId)
    const isSame = (row: PaymentRow) =>
      row.amountCents === input.amount &&
      row.type === input.paymentType &&
      row.notes === input.notes &&
      isPaidAs(deps, row, input.paymentDate, input.checkNumber)
    const sent = sentBefore(tx, input, isSame)
    if (sent) return { canceled: [], id: sent.id }
    const id = insertRow(deps, tx, actor, 'payment.manual_added', {
      id: input.requestId,
      userId: application.userId,
      applicationId: application.id,
      type: input.paymentType,
      method: 'manual',
      amountCents: input.amount,
      checkNumber: input.checkNumber,
      notes: input.notes,
      paidAt,
    })
    markPaymentsSinceDecline(tx, application.id, [id])
    return { canceled: requestCancellationOfPaid(tx, nowIso(deps), application), id }
  })
  await closeCanceledCheckouts(deps, canceled)
  return adminPayment(deps, id)
}

/**
 * Records money returned by hand, or kept from the deposit with a reason: at most the deposit still held, or what was
 * paid, minus pending card refunds and what a dispute took after it was moved here (FIX-38); also of a
 * deleted application. Repeating a `requestId` records nothing more.
 * @throws AppError forbidden without a step-up; not_found; conflict for more than that; bad_request for a future date
 */
export async function recordReturn(deps: Deps, actor: Admin, input: RecordReturnInput) {
  requireStepUp(deps, deps.db, actor)
  return adminPayment(deps, await storeReturn(deps, actor, input))
}

/**
 * Does the work of `recordReturn` without a step-up check; also used for seeding the demo, where nobody is logged in.
 */
export function storeReturn(deps: Deps, actor: Admin, input: RecordReturnInput): Promise<string> {
  const paidAt = paidOn(deps, 'date', input.date)
  return deps.write(tx => {
    const isSame = (row: PaymentRow) =>
      row.amountCents === -input.amount &&
      row.type === input.kind &&
      row.description === input.reason &&
      isPaidAs(deps, row, input.date, input.checkNumber)
    const sent = sentBefore(tx, input, isSame)
    if (sent) return sent.id
    const isWatched = readSection(tx, depositSection).body.enabled && input.kind !== 'refund'
    if (isWatched && input.kind === 'deduction') throw new AppError('conflict', depositRefusals.keepOnCard)
    if (isWatched) requireSettledDeposit(tx, input.applicationId)
    const rowId = insertReturn(deps, tx, actor, { ...input, paidAt })
    if (isWatched) {
      const { amount: amountCents, applicationId } = input
      const leg = { by: 'hand', paymentId: null, amountCents, feeCents: 0, totalCents: amountCents } as const
      const of = { applicationId, cause: 'deposit', causeId: rowId, kind: 'deposit' } as const
      writeLegs(deps, tx, actor, { ...of, legs: [leg], byHand: () => rowId })
    }
    return rowId
  })
}

/** Whether a row recorded by hand has this day and check. A day that was not over then is stored as the current time. */
export function isPaidAs(
  { config }: Deps,
  { checkNumber, createdAt, paidAt }: PaymentRow,
  date: CalendarDate | undefined,
  number: string,
): boolean {
  const dayOf = (at: string) => dateIn(new Date(at), config.site.timeZone)
  const recordedOn = dayOf(createdAt)
  const day = date && date < recordedOn ? date : recordedOn
  return checkNumber === number && dayOf(paidAt ?? createdAt) === day
}

/**
 * The row that an earlier submission of the same form recorded under its `requestId`; undefined if there is none.
 * @throws AppError conflict if it was removed, or is of another application or form
 */
export function sentBefore(
  tx: Tx,
  { applicationId, requestId }: { applicationId: string; requestId?: string | undefined },
  isSame: (sent: PaymentRow) => boolean,
): PaymentRow | undefined {
  const sent = requestId === undefined ? undefined : findPayment(tx, requestId)
  if (sent) requireSameRequest(bookingOf(sent) === applicationId && sent.voidedAt === null && isSame(sent))
  return sent
}

type NewReturn = Omit<RecordReturnInput, 'date'> & { paidAt: string; paysBill?: boolean }

/**
 * Adds the row of money returned or kept by hand.
 * @throws AppError not_found; conflict for more than is left
 */
export function insertReturn(deps: Deps, tx: Tx, actor: Admin, input: NewReturn): string {
  const key = accountKeyOf(getFormerApplicationRow(tx, actor, input.applicationId))
  const account = accountOf(tx, key)
  const { rows } = account
  const lost = lostBefore(account, accountsOfUser(tx, key.userId))
  const available = returnableFrom(account, lost, input.kind)
  if (input.amount > available) {
    const underWay = rows.some(row => row.requestedRefundCents > 0)
      ? ' A card refund is still under way.'
      : ''
    throw new AppError(
      'conflict',
      input.kind === 'refund'
        ? `Only ${formatCents(Math.max(0, available))} ${keptCents(rows) > 0 ? 'is not kept' : 'was paid'}.${underWay}`
        : `${depositMessages.onlyLeft(available)}${underWay}`,
    )
  }
  return withinInvariants(tx, key.userId, () =>
    insertRow(deps, tx, actor, `payment.${input.kind}`, {
      ...key,
      id: input.requestId,
      type: input.kind,
      method: 'manual',
      amountCents: -input.amount,
      description: input.reason,
      checkNumber: input.checkNumber,
      paidAt: input.paidAt,
      paysBill: input.paysBill ?? false,
    }),
  )
}

type NewRow = Omit<typeof payments.$inferInsert, 'id' | 'status' | 'createdAt'> & { id?: string | undefined }

/** Adds a succeeded row with its audit event; returns its id. */
export function insertRow(deps: Deps, tx: Tx, actor: Admin, kind: string, row: NewRow): string {
  const at = nowIso(deps)
  const { id = randomUUID() } = row
  tx.insert(payments)
    .values({ ...row, id, status: 'succeeded', createdAt: at })
    .run()
  recordEvent(tx, at, actor, kind, id, { amountCents: row.amountCents, type: row.type })
  return id
}

/**
 * A day in the property's time zone as a UTC time. For today and the allowed days ahead it is the current time.
 * @throws AppError bad_request for a later day
 */
export function paidOn(
  { clock, config }: Deps,
  field: string,
  date: CalendarDate | undefined,
  daysAhead = 0,
): string {
  const now = clock.now()
  const today = dateIn(now, config.site.timeZone)
  if (date !== undefined && date < today) return middayIn(date, config.site.timeZone)
  // Tomorrow may be today for the caller. Nothing is stored as paid ahead of the clock.
  if (date === undefined || date <= addDays(today, daysAhead)) return now.toISOString()
  throw fieldError(field, 'The date of a payment cannot be in the future')
}
