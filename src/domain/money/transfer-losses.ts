import { type Account, accountSums, type CheckedRow } from './account-sums.ts'
import {
  depositHeldCents,
  isCounted,
  isToGoBackByHand,
  type LedgerRow,
  type PaymentType,
  paidCents,
} from './ledger.ts'

// How a dispute's loss is shared when its money was transferred to other accounts (FIX-38).

/** Whether a row moves money between accounts. */
export const isMoved = (row: LedgerRow) => row.method === 'transfer' && isCounted(row)

/** Whether the row is the receiving side of a transfer. */
export const isMovedHere = (row: LedgerRow) => isMoved(row) && row.amountCents > 0

/**
 * The loss that an account bears for disputes at the source of its transferred money, in cents. Negative if others bear
 * its own disputes, so that the losses of all accounts add up to 0. `depositCents` is part of `paidCents`.
 */
export type Lost = { paidCents: number; depositCents: number }

type Transfer = { from: Account; to: Account; row: CheckedRow; leftCents: number; isDeposit: boolean }

/**
 * The loss of an account. If a dispute takes an account below zero, the accounts that got money from it bear the
 * difference: transferred deposits first, then the latest transfers, and never more than such an account has left.
 */
export function lostBefore(account: Account, ofTenant: readonly Account[]): Lost {
  const { accounts } = shareLosses(ofTenant)
  return accounts.get(account.applicationId)?.lost ?? { paidCents: 0, depositCents: 0 }
}

/** The lost part of each transfer in cents, by its id, so that the payment history adds up to the sums. */
export function lostTransfers(ofTenant: readonly Account[]): Map<string | null, number> {
  return new Map(
    shareLosses(ofTenant).transfers.map(({ leftCents, row }) => [
      row.transferId,
      row.amountCents - leftCents,
    ]),
  )
}

function shareLosses(ofTenant: readonly Account[]) {
  const accounts = new Map(
    ofTenant.map(one => {
      // The money of a manual refund that is not recorded as paid yet is still in the account.
      const { deposit, paid } = accountSums({ rows: one.rows.filter(row => !isToGoBackByHand(row)) })
      const left = { paidCents: paid.afterRefundsCents, depositCents: deposit.afterRefundsCents }
      return [one.applicationId, { left, lost: { paidCents: 0, depositCents: 0 } }]
    }),
  )
  const transfers = transfersOf(ofTenant)

  /** Returns how much of the lack the transfers from an account could bear. */
  function passOn(from: Account, cents: number, isDeposit: boolean, path: readonly Account[]): number {
    let rest = cents
    // A lost deposit follows the transfers of deposit money only.
    const ofKindFirst = transfers
      .filter(transfer => transfer.isDeposit || !isDeposit)
      .toSorted((a, b) => Number(a.isDeposit) - Number(b.isDeposit))
    for (const transfer of ofKindFirst) {
      if (transfer.from !== from || path.includes(transfer.to)) continue
      const part = Math.min(rest, transfer.leftCents)
      transfer.leftCents -= part
      const borne = part > 0 ? bear(transfer.to, part, isDeposit && transfer.isDeposit, path) : 0
      transfer.leftCents += part - borne
      rest -= borne
    }
    return cents - rest
  }

  function bear(at: Account, cents: number, isDeposit: boolean, path: readonly Account[]): number {
    const passedOn = passOn(at, cents, isDeposit, [...path, at])
    const sums = accounts.get(at.applicationId)
    if (!sums) return passedOn
    const { left, lost } = sums
    const paidCents = Math.min(cents - passedOn, Math.max(0, left.paidCents))
    const depositCents = isDeposit ? Math.min(paidCents, Math.max(0, left.depositCents)) : 0
    left.paidCents -= paidCents
    left.depositCents -= depositCents
    lost.paidCents += paidCents
    lost.depositCents += depositCents
    return passedOn + paidCents
  }

  for (const one of ofTenant) {
    const sums = accounts.get(one.applicationId)
    if (!sums) continue
    for (const isDeposit of [true, false]) {
      const lack = Math.max(0, isDeposit ? -sums.left.depositCents : -sums.left.paidCents)
      const cents = passOn(one, lack, isDeposit, [one])
      sums.left.paidCents += cents
      sums.lost.paidCents -= cents
      if (!isDeposit) continue
      sums.left.depositCents += cents
      sums.lost.depositCents -= cents
    }
  }
  return { accounts, transfers }
}

/** The transfers between these accounts, the last first. */
function transfersOf(accounts: readonly Account[]): Transfer[] {
  const arrived = accounts.flatMap(to => to.rows.filter(isMovedHere).map(row => ({ row, to })))
  return arrived
    .flatMap(({ row, to }) => {
      const from = accounts.find(one =>
        one.rows.some(
          ({ id, transferId }) => id !== row.id && transferId !== null && transferId === row.transferId,
        ),
      )
      const isDeposit = row.type === 'deposit_transfer'
      return from ? [{ from, to, row, leftCents: row.amountCents, isDeposit }] : []
    })
    .toSorted((a, b) => b.row.createdAt.localeCompare(a.row.createdAt))
}

/** The other accounts from which money was transferred to this one, directly or through others. */
export function accountsBefore(account: Account, ofTenant: readonly Account[]): Account[] {
  const transfers = transfersOf(ofTenant)
  const found = new Set([account.applicationId])
  for (const one of found)
    for (const { from, to } of transfers) if (to.applicationId === one) found.add(from.applicationId)
  return ofTenant.filter(one => one.applicationId !== account.applicationId && found.has(one.applicationId))
}

/**
 * The rows of an account with its losses as extra rows: a loss of transferred money lowers the sums, at most to zero, and
 * what other accounts bear of its disputes raises them (FIX-38).
 */
export function withoutLost<Row extends LedgerRow>(rows: readonly Row[], lost: Lost): Row[] {
  const depositCents = Math.min(lost.depositCents, Math.max(0, depositHeldCents(rows)))
  const otherCents = Math.min(lost.paidCents - lost.depositCents, Math.max(0, paidCents(rows) - depositCents))
  const moved = rows.find(isMoved)
  if (!moved || (depositCents === 0 && otherCents === 0)) return [...rows]
  const out = { ...moved, type: 'admin_transfer', amountCents: -otherCents } as const
  return [...rows, out, { ...out, type: 'deposit_transfer', amountCents: -depositCents }]
}

/** What other accounts bear of this account's disputes, as a negative loss in cents (FIX-38). */
export function lostInPlaceOf(account: Account, ofTenant: () => readonly Account[]): Lost {
  if (!account.rows.some(isMoved)) return { paidCents: 0, depositCents: 0 }
  const { depositCents, paidCents } = lostBefore(account, ofTenant())
  return { paidCents: Math.min(0, paidCents), depositCents: Math.min(0, depositCents) }
}

/**
 * What can still be returned or kept of an account, in cents, after all requested refunds. Leaves out what is kept
 * (DEP-09), and money that was transferred here, directly or through other accounts, from an account that has since lost it
 * to a dispute.
 */
export function returnableFrom(account: Account, lost: Lost, kind: PaymentType): number {
  const { deposit, unkept } = accountSums(account)
  const leftCents = unkept.afterRefundsCents - lost.paidCents
  return kind === 'refund' ? leftCents : Math.min(deposit.afterRefundsCents - lost.depositCents, leftCents)
}

/**
 * The tenant's money on an account that ended, in cents, and the part of it that is deposit: what can be returned
 * without the part of the deposit that deductions keep.
 */
export function heldOf(account: Account, ofTenant: readonly Account[]) {
  const lost = lostBefore(account, ofTenant)
  const leftOf = (kind: PaymentType) => Math.max(0, returnableFrom(account, lost, kind))
  return { cents: leftOf('refund'), depositCents: leftOf('deposit_return') }
}
