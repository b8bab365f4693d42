import { formatCents } from '../common/money.ts'
import {
  afterRequestedRefunds,
  depositHeldCents,
  isCounted,
  isReceived,
  isToGoBackByHand,
  keptCents,
  type LedgerRow,
  type PaymentType,
  paidCents,
  paymentTypeLabels,
  shareRefund,
} from './ledger.ts'

// Invariants of the ledger. Services reject a change that breaks one; `verify` and the tests search for violations.

/** A ledger row, including voided ones, with the data that the invariants need. Cents. */
export type CheckedRow = LedgerRow & {
  id: string
  /** When the row was written. */
  createdAt: string
  transferId: string | null
  description: string
  /** This site's refund requests without a response yet, of the total charged. */
  requestedRefundCents: number
  /** This site's completed refund requests, of the total charged. */
  completedRefundCents: number
  /** Whether a dispute of it is open. */
  inDispute: boolean
}

/** The rows of one application, or of a tenant's payments without an application. */
export type Account = {
  /** Also of a deleted application. */
  applicationId: string | null
  isDeleted: boolean
  userId: string
  /** Its name in messages, such as `APP-2026-0001`. */
  label: string
  rows: readonly CheckedRow[]
}

/** A sum that must not be negative, in cents. */
type Figure = {
  nowCents: number
  /** The same after all requested refunds. */
  afterRefundsCents: number
  /**
   * Taken at the provider without a request from this site: refunds in its dashboard, open or lost disputes, bank
   * returns.
   */
  takenByProviderCents: number
}

/** The sum paid on an account, and the deposit held. */
type AccountSums = { paid: Figure; deposit: Figure }

export type Invariant =
  | 'paid-below-zero'
  | 'deposit-below-zero'
  | 'refunded-above-payment'
  | 'transfer-uneven'
  | 'transfer-alone'
  | 'arrival-unreported'

export type Violation = {
  invariant: Invariant
  /** A violation by the provider cannot be prevented, only reported; one by the program must never happen. */
  cause: 'program' | 'provider'
  /** The payment, transfer or account with the violation. */
  subject: string
  account: Pick<Account, 'applicationId' | 'isDeleted' | 'userId'> | null
  title: string
  /** What happened and what the owner can do. */
  sentence: string
}

/** The sums of an account. */
export function accountSums({ rows }: Pick<Account, 'rows'>): AccountSums {
  const deposits = rows.filter(row => row.type === 'deposit')
  const after = afterRequestedRefunds(rows)
  return {
    paid: {
      nowCents: paidCents(rows),
      afterRefundsCents: paidCents(after),
      takenByProviderCents: sumTaken(rows),
    },
    deposit: {
      nowCents: depositHeldCents(rows),
      afterRefundsCents: depositHeldCents(after),
      takenByProviderCents: sumTaken(deposits),
    },
  }
}

const sumTaken = (rows: readonly CheckedRow[]) =>
  rows.reduce((sum, row) => sum + rowTakenByProviderCents(row), 0)

/** What was refunded or disputed without a request from this site, in cents. */
function rowTakenByProviderCents(row: CheckedRow): number {
  const arrived = isReceived(row) || (row.status === 'returned' && row.voidedAt === null)
  if (row.method !== 'card' || !arrived) return 0
  const own = shareRefund(row, row.completedRefundCents + row.requestedRefundCents).amountCents
  return Math.max(0, row.amountCents - own - paidCents(afterRequestedRefunds([row])))
}

/** The negative part that the provider does not explain: zero or negative. */
const unexplained = ({ afterRefundsCents, takenByProviderCents }: Figure) =>
  Math.min(0, afterRefundsCents + takenByProviderCents)

/**
 * What can still be returned or kept of an account, in cents, after all requested refunds. Leaves out money that was
 * transferred here, directly or through other accounts, from an account that has since lost it to a dispute.
 */
export function returnableFrom(account: Account, lost: Lost, kind: PaymentType): number {
  const { deposit, paid } = accountSums(account)
  const leftOfPaid =
    paid.afterRefundsCents - lost.paidCents - (lost.paidCents > 0 ? keptCents(account.rows) : 0)
  if (kind === 'refund') return leftOfPaid
  return Math.min(deposit.afterRefundsCents - lost.depositCents, leftOfPaid)
}

/**
 * The tenant's money on an account that ended, in cents, and the part of it that is deposit: what can be returned
 * without the part of the deposit that deductions keep.
 */
export function heldOf(account: Account, ofTenant: readonly Account[]) {
  const { paid } = accountSums(account)
  const lost = lostBefore(account, ofTenant)
  const cents = Math.max(0, paid.afterRefundsCents - lost.paidCents - keptCents(account.rows))
  const depositCents = Math.max(0, returnableFrom(account, lost, 'deposit_return'))
  return { cents, depositCents: Math.min(cents, depositCents) }
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

/** An account with what other accounts bear of its disputes. */
const withLostElsewhere = (account: Account, ofTenant: () => readonly Account[]): Account => ({
  ...account,
  rows: withoutLost(account.rows, lostInPlaceOf(account, ofTenant)),
})

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

/** Why a change is rejected: it would make the sum paid or the deposit held negative. Undefined if it is allowed. */
export function rejectionReason(before: Account, after: Account): string | undefined {
  const [was, is] = [accountSums(before), accountSums(after)]
  if (worsens(was.paid, is.paid))
    return `${formatCents(is.paid.afterRefundsCents)} would be left on ${after.label}. ${deductionsFrom(before, ['refund', 'deposit_return'])}`
  if (worsens(was.deposit, is.deposit))
    return `${formatCents(is.deposit.afterRefundsCents)} would be left of the deposit of ${after.label}. ${deductionsFrom(before, ['deposit_return', 'deduction'])}`
  return undefined
}

function worsens(was: Figure, is: Figure): boolean {
  if (is.afterRefundsCents >= 0) return false
  return is.afterRefundsCents < was.afterRefundsCents || unexplained(is) < unexplained(was)
}

const maxListed = 5
const underWayCents = (row: CheckedRow) =>
  isToGoBackByHand(row) ? -row.amountCents : row.requestedRefundCents

/** Lists the amounts already taken from an account, newest first. */
function deductionsFrom({ rows }: Account, types: readonly PaymentType[]): string {
  const gone = rows.filter(
    row => isCounted(row) && row.amountCents < 0 && (types.includes(row.type) || row.method === 'transfer'),
  )
  const named = gone
    .toSorted((a, b) => (b.paidAt ?? '').localeCompare(a.paidAt ?? ''))
    .map(
      row =>
        `${(row.method === 'transfer' && row.description) || paymentTypeLabels[row.type]} ${formatCents(-row.amountCents)}`,
    )
  const asked = rows
    .filter(row => row.voidedAt === null && underWayCents(row) > 0)
    .map(
      row =>
        `${row.method === 'card' ? 'card refund' : 'refund'} under way ${formatCents(underWayCents(row))}`,
    )
  const all = [...asked, ...named]
  if (all.length === 0) return 'That is more than was paid.'
  const more = all.length > maxListed ? `, and ${all.length - maxListed} more` : ''
  return `Already taken from it: ${all.slice(0, maxListed).join(', ')}${more}.`
}

/** All violations in these accounts. */
export function violationsOf(accounts: readonly Account[]): Violation[] {
  const byTenant = Map.groupBy(accounts, ({ userId }) => userId)
  return [
    ...accounts.flatMap(account => overdraftsOf(account, () => byTenant.get(account.userId) ?? [])),
    ...accounts.flatMap(account => account.rows.flatMap(row => rowViolations(account, row))),
    ...transferViolations(accounts),
  ]
}

/** Negative sums of an account after other accounts bear their part of its disputes; the owner sees them as notices. */
export function overdraftsOf(account: Account, ofTenant: () => readonly Account[]): Violation[] {
  const found = overdrafts(account)
  // A fault of the program is reported even if another account could cover it.
  if (found.every(({ cause }) => cause === 'provider'))
    return found.length > 0 ? overdrafts(withLostElsewhere(account, ofTenant)) : found
  return found
}

function overdrafts(account: Account): Violation[] {
  const { paid, deposit } = accountSums(account)
  const isBelow = (figure: Figure) => figure.nowCents < 0 || unexplained(figure) < 0
  const found = isBelow(paid) ? [belowZero(account, 'paid-below-zero', paid)] : []
  // If one cause at the provider affects both sums, it is reported once.
  if (isBelow(deposit) && (!isBelow(paid) || unexplained(deposit) < 0))
    found.push(belowZero(account, 'deposit-below-zero', deposit))
  return found
}

function belowZero(
  account: Account,
  invariant: 'paid-below-zero' | 'deposit-below-zero',
  figure: Figure,
): Violation {
  const { label, rows } = account
  const isPaid = invariant === 'paid-below-zero'
  const cents = Math.min(figure.nowCents, figure.afterRefundsCents)
  const disputed = rows.some(row => row.inDispute && row.voidedAt === null)
  const what = isPaid ? `${formatCents(cents)} is paid` : `${formatCents(cents)} is held of the deposit`
  const taken =
    figure.takenByProviderCents > 0
      ? `${formatCents(figure.takenByProviderCents)} was taken back at the card provider, by a dispute, the payer’s bank or a refund made there.`
      : 'Entries recorded here returned more than was received.'
  const gone = deductionsFrom(
    account,
    isPaid ? ['refund', 'deposit_return'] : ['deposit_return', 'deduction'],
  )
  const wait = disputed ? ' A dispute that is won brings its money back.' : ''
  return {
    invariant,
    cause: unexplained(figure) < 0 ? 'program' : 'provider',
    subject: label,
    account: placeOf(account),
    title: isPaid
      ? `More money went back than came in on ${label}`
      : `More of the deposit of ${label} is gone than was held`,
    sentence: `${what}. ${taken} ${gone}${wait} Ask the tenant to pay it again and add it as a manual payment, or delete an entry that was never paid out.`,
  }
}

const placeOf = ({ applicationId, isDeleted, userId }: Account) => ({ applicationId, isDeleted, userId })

function rowViolations(account: Account, row: CheckedRow): Violation[] {
  const { label } = account
  const { amountCents, feeCents, lostAmountCents, refundedAmountCents, refundedFeeCents } = row
  const of = (invariant: Invariant, title: string, sentence: string): Violation => ({
    invariant,
    cause: 'program',
    subject: row.id,
    account: placeOf(account),
    title,
    sentence,
  })
  const found: Violation[] = []
  if (row.method === 'transfer' && row.transferId === null)
    found.push(
      of(
        'transfer-alone',
        `A transfer on ${label} is missing its other side`,
        'Delete it and make the transfer again.',
      ),
    )
  const maxRefundCents = Math.max(0, amountCents)
  if (
    [refundedAmountCents, refundedFeeCents, lostAmountCents].some(cents => cents < 0) ||
    refundedAmountCents > maxRefundCents ||
    refundedFeeCents > feeCents ||
    lostAmountCents > refundedAmountCents
  )
    found.push(
      of(
        'refunded-above-payment',
        `A payment on ${label} has been refunded more than was paid`,
        'Compare it with the card provider.',
      ),
    )
  return found
}

function transferViolations(accounts: readonly Account[]): Violation[] {
  const legs = accounts.flatMap(account => account.rows.map(row => ({ row, account })))
  const byTransfer = Map.groupBy(
    legs.filter(({ row }) => row.transferId !== null),
    ({ row }) => row.transferId ?? '',
  )
  return [...byTransfer].flatMap(([transferId, both]) => {
    const [one, other] = both
    const isEven =
      one !== undefined &&
      other !== undefined &&
      both.length === 2 &&
      one.row.amountCents + other.row.amountCents === 0 &&
      one.row.type === other.row.type &&
      one.account.userId === other.account.userId &&
      (one.row.voidedAt === null) === (other.row.voidedAt === null)
    if (isEven) return []
    const labels = [...new Set(both.map(({ account }) => account.label))].join(' and ')
    return [
      {
        invariant: 'transfer-uneven' as const,
        cause: 'program' as const,
        subject: transferId,
        account: null,
        title: `The two sides of a transfer on ${labels} do not sum to zero`,
        sentence: 'Delete what is left of it and make the transfer again.',
      },
    ]
  })
}

/** A card payment that arrived after its application was declined, withdrawn, canceled or deleted. */
export type Arrival = {
  payment: CheckedRow
  /** The account that it currently belongs to. */
  account: Account
  /** Whether the owner has a notice about it, or dismissed one. */
  isReported: boolean
}

/** Arrivals without a notice to the owner while the money has not been returned. */
export function unreportedArrivals(arrivals: readonly Arrival[]): Violation[] {
  return arrivals
    .map(arrival => ({
      ...arrival,
      leftCents: Math.min(paidCents([arrival.payment]), paidCents(arrival.account.rows)),
    }))
    .filter(({ isReported, leftCents }) => !isReported && leftCents > 0)
    .map(({ account, leftCents, payment }) => ({
      invariant: 'arrival-unreported',
      cause: 'program',
      subject: payment.id,
      account: placeOf(account),
      title: `A payment arrived for ${account.label}, which no longer accepts payments`,
      sentence: `${formatCents(leftCents)} was paid by card. Refund the payment to the card.`,
    }))
}
