import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { payments } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { afterRequestedRefunds, paidCents, transferable } from '../../../domain/money/ledger.ts'
import type { TransferInput } from '../../../domain/money/payment-input.ts'
import { findUser } from '../../auth/sessions/users.ts'
import {
  type ApplicationRow,
  getApplicationRow,
  isClosedToAccount,
  listApplicationsOf,
} from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { accountRowsOf } from '../accounts.ts'
import { moneyOf } from '../records.ts'
import { closeCanceledCheckouts, requestCancellationOfPaid } from './checkout/cancel.ts'
import { withinInvariants } from './ledger-invariants.ts'
import { insertRow, sentBefore } from './manual-payments.ts'
import { adminPayment } from './queries.ts'
import type { PaymentRow } from './records.ts'
import { markPaymentsSinceDecline } from './unexpected-payments.ts'

/**
 * A tenant's applications, newest first, with balance and transferable amount in cents.
 * @throws AppError not_found for an unknown tenant
 */
export function availableDeposits({ db }: Deps, actor: Admin, userId: string) {
  if (!findUser(db, userId)) throw new AppError('not_found', 'User not found')
  const submitted = listApplicationsOf(db, actor, userId).filter(
    ({ application }) => application.status !== 'draft',
  )
  return submitted.map(({ application }) => {
    const { maxCents, maxOfKind } = transferableOf(db, application)
    return {
      applicationId: application.id,
      applicationNumber: application.number,
      firstName: application.firstName,
      lastName: application.lastName,
      status: application.status,
      totalBalance: moneyOf(db, application).balance.balanceCents,
      availableToTransfer: maxCents,
      availableOfKind: maxOfKind,
    }
  })
}

/** Whether the transfer that an earlier request recorded moved the same money. */
function isSameTransfer(db: Db, { id, notes, transferId, type }: PaymentRow, input: TransferInput): boolean {
  if (notes !== input.transferNotes) return false
  if (input.kind && (input.kind === 'deposit') !== (type === 'deposit_transfer')) return false
  const ofPairs = inArray(payments.transferId, [transferId ?? '', id])
  const arrived = and(ofPairs, eq(payments.applicationId, input.toApplicationId), isNull(payments.voidedAt))
  const rows = db.select().from(payments).where(arrived).all()
  return rows.reduce((sum, { amountCents }) => sum + amountCents, 0) === input.depositAmount
}

/** What can be moved; of a cancelled stay nothing that is kept (CHANGE-41). */
const transferableOf = (db: Db, application: ApplicationRow) =>
  transferable(
    afterRequestedRefunds(accountRowsOf(db, application)),
    application.status === 'cancelled' ? application.totalCents : 0,
  )

/**
 * Moves an amount between two applications of one tenant: two rows that sum to zero (MONEY-09). Money other than the
 * deposit goes first; deposit money is a second pair, of type `deposit_transfer`. With a `kind`, only that kind is
 * moved (CHG-32). Repeating a `requestId` moves nothing more. Closes open checkouts for what it pays (FIX-02).
 * @throws AppError not_found; bad_request for the same application, another tenant's application, or too large an
 * amount
 */
export async function transferAmount(deps: Deps, actor: Admin, input: TransferInput) {
  const { depositAmount: cents, fromApplicationId, kind, requestId, toApplicationId, transferNotes } = input
  const { canceled, ids } = await deps.write(tx => {
    const from = getApplicationRow(tx, actor, fromApplicationId)
    const to = getApplicationRow(tx, actor, toApplicationId)
    if (from.id === to.id)
      throw fieldError('toApplicationId', 'Please choose another application to transfer to.')
    if (from.userId !== to.userId)
      throw fieldError('toApplicationId', 'Both applications must be of the same tenant.')
    if (isClosedToAccount(tx, from.id) !== isClosedToAccount(tx, to.id))
      throw fieldError(
        'toApplicationId',
        'Nobody has confirmed yet that both applications are of the same person.',
      )
    const request = { applicationId: from.id, requestId }
    const sent = sentBefore(tx, request, row => isSameTransfer(tx, row, input))
    if (sent) return { canceled: [], ids: [sent.id] }
    const { userId } = from
    const { divide, maxCents, maxOfKind } = transferableOf(tx, from)
    const most = kind ? maxOfKind[kind] : maxCents
    if (cents > most)
      throw fieldError(
        'depositAmount',
        `At most ${formatCents(most)} can be transferred from ${from.number}.`,
      )
    const pairOf = (type: 'admin_transfer' | 'deposit_transfer', cents: number, id?: string): string[] => {
      if (cents === 0) return []
      const shared = {
        userId,
        type,
        method: 'transfer' as const,
        // Finds the second pair of the same request again.
        transferId: (id ? undefined : requestId) ?? randomUUID(),
        paidAt: nowIso(deps),
        notes: transferNotes,
      }
      return [
        insertRow(deps, tx, actor, 'payment.transferred', {
          ...shared,
          id,
          applicationId: from.id,
          amountCents: -cents,
          description: `Transfer to ${to.number}`,
        }),
        insertRow(deps, tx, actor, 'payment.transferred', {
          ...shared,
          applicationId: to.id,
          amountCents: cents,
          description: `Transfer from ${from.number}`,
        }),
      ]
    }
    const { depositCents, otherCents } = divide(cents, kind)
    const sums = () => [from, to].map(one => paidCents(accountRowsOf(tx, one)))
    const [ofFrom = 0, ofTo = 0] = sums()
    const ids = withinInvariants(tx, userId, () => [
      ...pairOf('admin_transfer', otherCents, requestId),
      ...pairOf('deposit_transfer', depositCents, otherCents === 0 ? requestId : undefined),
    ])
    // The loss of money that was transferred here would move along with it (FIX-38).
    const [leftOfFrom, leftOfTo] = sums()
    if (leftOfFrom !== ofFrom - cents || leftOfTo !== ofTo + cents)
      throw new AppError('conflict', 'A dispute about money that was moved would undo this transfer.')
    markPaymentsSinceDecline(tx, to.id, ids)
    return { canceled: requestCancellationOfPaid(tx, nowIso(deps), to), ids }
  })
  await closeCanceledCheckouts(deps, canceled)
  return {
    message: 'Transfer completed successfully!',
    payments: ids.map(id => adminPayment(deps, id)),
  }
}
