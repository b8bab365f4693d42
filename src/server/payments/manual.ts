import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { payments, refunds } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import { addDays, type CalendarDate, dateIn } from '../../domain/dates.ts'
import { AppError } from '../../domain/errors.ts'
import { anticipated, returnableCents } from '../../domain/ledger.ts'
import { formatCents } from '../../domain/money.ts'
import type { GiveBackInput, ManualPaymentInput } from '../../domain/payment.ts'
import { middayIn } from '../../domain/zoned-time.ts'
import { loadRecord } from '../bookings/records.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'
import { closeCheckout } from './checkout/checkout.ts'
import { accountOf, withinLaws } from './ledger/ledger-laws.ts'
import { findPayment, type PaymentRow, paymentNotFound } from './ledger/records.ts'
import { adminPayment } from './service.ts'

/**
 * Enters a payment that came by check, cash or bank (ADMAPP-33). No receipt goes out by itself.
 * @throws AppError not_found for an unknown application; bad_request for a date that is yet to come
 */
export async function addManualPayment(deps: Deps, actor: Admin, input: ManualPaymentInput) {
  const paidAt = paidOn(deps, 'paymentDate', input.paymentDate)
  const id = await deps.write(tx => {
    const { application } = loadRecord(tx, actor, input.applicationId)
    return insertRow(deps, tx, actor, 'payment.manual_added', {
      userId: application.userId,
      applicationId: application.id,
      type: input.paymentType,
      method: 'manual',
      amountCents: input.amount,
      checkNumber: input.checkNumber,
      notes: input.notes,
      paidAt,
    })
  })
  return adminPayment(deps, id)
}

/**
 * Notes money that was given back by hand, or kept from the deposit with its reason, as a row of the ledger. At most
 * what there is: the deposit that is still held, or what was paid, less the card refunds that are under way.
 * @throws AppError not_found; conflict for more than there is; bad_request for a date that is yet to come
 */
export async function giveBack(deps: Deps, actor: Admin, input: GiveBackInput) {
  const paidAt = paidOn(deps, 'date', input.date)
  const id = await deps.write(tx => {
    const { application } = loadRecord(tx, actor, input.applicationId)
    const key = { applicationId: application.id, userId: application.userId }
    const { rows } = accountOf(tx, key)
    const available = returnableCents(input.kind, anticipated(rows))
    if (input.amount > available) {
      const what = input.kind === 'refund' ? 'was paid' : 'is left of the deposit'
      const underWay = rows.some(row => row.askedCents > 0) ? ' A card refund is still under way.' : ''
      throw new AppError('conflict', `Only ${formatCents(Math.max(0, available))} ${what}.${underWay}`)
    }
    return withinLaws(tx, [key], () =>
      insertRow(deps, tx, actor, `payment.${input.kind}`, {
        ...key,
        type: input.kind,
        method: 'manual',
        amountCents: -input.amount,
        description: input.reason,
        checkNumber: input.checkNumber,
        paidAt,
      }),
    )
  })
  return adminPayment(deps, id)
}

type NewRow = Omit<typeof payments.$inferInsert, 'id' | 'status' | 'createdAt'>

/** Adds a row of money that has moved already, with its line in the audit log; answers its id. */
export function insertRow(deps: Deps, tx: Tx, actor: Admin, kind: string, row: NewRow): string {
  const at = nowIso(deps)
  const id = randomUUID()
  tx.insert(payments)
    .values({ ...row, id, status: 'succeeded', createdAt: at })
    .run()
  recordEvent(tx, at, actor, kind, id, { amountCents: row.amountCents, type: row.type })
  return id
}

/** A day in the property's time zone as a moment; today is now. A day ahead is let pass, as it is tomorrow elsewhere. */
function paidOn({ clock, config }: Deps, field: string, date: CalendarDate | undefined): string {
  const now = clock.now()
  const today = dateIn(now, config.site.timeZone)
  if (date === undefined || date === today) return now.toISOString()
  if (date <= addDays(today, 1)) return middayIn(date, config.site.timeZone)
  const sentence = 'The date of a payment cannot be in the future'
  throw new AppError('bad_request', sentence, { fields: { [field]: sentence } })
}

/**
 * Takes a payment out of every list and total; it stays in the audit log. One side of a transfer takes the other with
 * it. Money that a card payment brought stays at the provider, and the answer says so.
 * @throws AppError not_found; conflict for one that is still on its way, was paid this very moment, is being refunded,
 * or whose money has gone on already; provider_failed
 */
export async function removePayment(deps: Deps, actor: Admin, paymentId: string) {
  const before = removable(findPayment(deps.db, paymentId))
  // Nobody may pay what no longer is in the books.
  if (before.method === 'card' && before.status === 'pending')
    await closeCheckout(deps, before, 'Failed to delete payment')
  const keepsMoney = await deps.write(tx => {
    const row = removable(findPayment(tx, paymentId))
    if (before.status === 'pending' && row.paidAt !== null)
      throw new AppError('conflict', 'This payment has just been made. It was not deleted.')
    const at = nowIso(deps)
    requireNoRefundUnderWay(tx, row)
    const both = and(
      row.transferId ? eq(payments.transferId, row.transferId) : eq(payments.id, row.id),
      isNull(payments.voidedAt),
    )
    const keys = tx.select().from(payments).where(both).all()
    const voided = withinLaws(tx, keys, () =>
      tx.update(payments).set({ voidedAt: at }).where(both).returning().all(),
    )
    for (const { amountCents, id } of voided)
      recordEvent(tx, at, actor, 'payment.removed', id, { amountCents })
    return row.method === 'card' && (row.status === 'succeeded' || row.status === 'disputed')
  })
  return {
    message: keepsMoney
      ? 'Payment deleted. The money was not returned to the card: refund it at the card provider.'
      : 'Payment deleted successfully!',
  }
}

/** What is asked of the provider is in no sum once its payment is removed. @throws AppError conflict */
function requireNoRefundUnderWay(tx: Tx, { id }: PaymentRow): void {
  const asked = and(eq(refunds.paymentId, id), eq(refunds.status, 'requested'))
  if (tx.select({ id: refunds.id }).from(refunds).where(asked).get())
    throw new AppError(
      'conflict',
      'A refund of this payment is still under way. Please try again in a few minutes.',
    )
}

function removable(row: PaymentRow | undefined): PaymentRow {
  if (!row || row.voidedAt) throw paymentNotFound()
  if (row.status === 'processing')
    throw new AppError('conflict', 'This payment is still on its way from the bank. Please wait for its end.')
  return row
}
