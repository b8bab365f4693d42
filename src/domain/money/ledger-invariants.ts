import { formatCents } from '../common/money.ts'
import { type Account, accountSums, type CheckedRow, type Figure } from './account-sums.ts'
import { isCounted, isToGoBackByHand, type PaymentType, paidCents, paymentTypeLabels } from './ledger.ts'
import { lostBefore, lostInPlaceOf, withoutLost } from './transfer-losses.ts'

// Invariants of the ledger. Services reject a change that breaks one; `verify` and the tests search for violations.

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

/** The negative part that the provider does not explain: zero or negative. */
const unexplained = ({ afterRefundsCents, takenByProviderCents }: Figure) =>
  Math.min(0, afterRefundsCents + takenByProviderCents)

/** An account with what other accounts bear of its disputes. */
const withLostElsewhere = (account: Account, ofTenant: () => readonly Account[]): Account => ({
  ...account,
  rows: withoutLost(account.rows, lostInPlaceOf(account, ofTenant)),
})

/**
 * Why a change of a tenant's accounts is rejected: it would make the sum paid, the deposit held, or what was paid beside what is
 * kept negative. Undefined if it is allowed.
 */
export function rejectionReason(before: readonly Account[], after: readonly Account[]): string | undefined {
  for (const account of after) {
    const { applicationId, label } = account
    const old = before.find(one => one.applicationId === applicationId) ?? { ...account, rows: [] }
    const [was, is] = [accountSums(old), accountSums(account)]
    const [lostThen, lost] = [lostBefore(old, before), lostBefore(account, after)]
    /** The sum that would be left, if it is negative and less than before. */
    const leftOf = (sum: keyof typeof is) => {
      const part = sum === 'deposit' ? 'depositCents' : 'paidCents'
      // Other accounts bear this account's disputes, but not what the change takes.
      const cents = is[sum].afterRefundsCents - Math.max(lost[part], Math.min(0, lostThen[part]))
      const isLess = cents < 0 && cents < was[sum].afterRefundsCents - lostThen[part]
      // A wrong entry can be removed although the provider took what was kept.
      if (isLess && sum !== 'unkept') return formatCents(cents)
      const isWorse = unexplained(is[sum]) < unexplained(was[sum])
      return isWorse ? formatCents(is[sum].afterRefundsCents) : undefined
    }
    const [paid, deposit, unkept] = [leftOf('paid'), leftOf('deposit'), leftOf('unkept')]
    if (paid) return `${paid} would be left on ${label}. ${deductionsFrom(old, ['refund', 'deposit_return'])}`
    if (deposit)
      return `${deposit} would be left of the deposit of ${label}. ${deductionsFrom(old, ['deposit_return', 'deduction'])}`
    if (unkept)
      return `${unkept} would be left on ${label}. ${deductionsFrom(old, ['refund', 'deposit_return', 'deduction'])}`
  }
  return undefined
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
