/** The type of a ledger row. The last three are for money returned or kept by hand. */
export const paymentTypes = [
  'deposit',
  'rent',
  'late_fee',
  'other',
  'admin_transfer',
  'deposit_transfer',
  'refund',
  'deposit_return',
  'deduction',
] as const
export type PaymentType = (typeof paymentTypes)[number]

export const paymentTypeLabels: Record<PaymentType, string> = {
  deposit: 'Deposit',
  rent: 'Rent',
  late_fee: 'Late fee',
  other: 'Other',
  admin_transfer: 'Admin Transfer',
  deposit_transfer: 'Deposit Transfer',
  refund: 'Refund',
  deposit_return: 'Deposit returned',
  deduction: 'Deposit deduction',
}

/** 'Deposit', 'Rent', or 'Deposit and rent' for the payments of one checkout. */
export function labelOfTypes(types: readonly PaymentType[]): string {
  const [first = '', ...others] = types.map(type => paymentTypeLabels[type])
  return [first, ...others.map(label => label.toLowerCase())].join(' and ')
}

/** `card` covers every payment through the provider, whatever its payment method there. */
export const paymentMethods = ['card', 'manual', 'transfer'] as const
type PaymentMethod = (typeof paymentMethods)[number]

/** Payment method at the provider. */
export const providerMethods = ['card', 'us_bank_account'] as const
export type ProviderMethod = (typeof providerMethods)[number]

/** What a refund of a deposit means: it went back to the tenant, or it was paid by mistake and is owed again. */
export const refundPurposes = ['refund', 'deposit_return'] as const
export type RefundPurpose = (typeof refundPurposes)[number]
/** What a refund means unless something else was asked for: of a deposit, that it is returned (DEP-07). */
export const usualPurpose = (type: PaymentType): RefundPurpose =>
  type === 'deposit' ? 'deposit_return' : 'refund'

export const paymentStatuses = [
  'pending',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
  'disputed',
  'returned',
] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

export const paymentStatusLabels: Record<PaymentStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  succeeded: 'Succeeded',
  failed: 'Failed',
  canceled: 'Canceled',
  refunded: 'Refunded',
  disputed: 'Disputed',
  returned: 'Returned by the bank',
}

/** Whether a payment with this status may still arrive. */
export function isOpenPayment(status: PaymentStatus): boolean {
  return status === 'pending' || status === 'processing'
}

/** The fields of a ledger row that sums need. Integer cents; `paidAt` is a UTC ISO timestamp. */
export type LedgerRow = {
  type: PaymentType
  method: PaymentMethod
  status: PaymentStatus
  amountCents: number
  feeCents: number
  refundedAmountCents: number
  refundedFeeCents: number
  /** The part of the refunded amount that disputes took: lost in one, or withheld while it is open. */
  lostAmountCents: number
  /** The part of a deposit's refunds that was a correction, so that it is owed again. */
  correctedAmountCents?: number
  /** A deduction that pays what was owed. */
  paysBill?: boolean
  paidAt: string | null
  voidedAt: string | null
}

/** Whether a row counts in sums: succeeded and not voided. Rows without anything left do not. */
export function isCounted(row: Pick<LedgerRow, 'status' | 'voidedAt'>): boolean {
  return row.status === 'succeeded' && row.voidedAt === null
}

/**
 * The cents that a row adds to what the tenant has paid, without fee and refunds (MONEY-04, -06). A deduction adds
 * nothing, because the deposit that it keeps was already paid.
 */
export function creditedCents(row: LedgerRow): number {
  return isCounted(row) && row.type !== 'deduction' ? row.amountCents - row.refundedAmountCents : 0
}

/** The part of the card fee that stays with the owner, in cents. */
export function feeKeptCents(row: LedgerRow): number {
  return isCounted(row) ? row.feeCents - row.refundedFeeCents : 0
}

/** What refunds and disputes have left of the total charged, fee included, in cents. */
export function leftOfTotalCents(
  row: Pick<LedgerRow, 'amountCents' | 'feeCents' | 'refundedAmountCents' | 'refundedFeeCents'>,
): number {
  return row.amountCents + row.feeCents - row.refundedAmountCents - row.refundedFeeCents
}

/** What a tenant has paid in these rows, transfers included, in cents (MONEY-04). */
export function paidCents(rows: readonly LedgerRow[]): number {
  return sum(rows, creditedCents)
}

/** Deposits paid in these rows less refunds, in cents; returns by hand are not subtracted. */
function depositPaidCents(rows: readonly LedgerRow[]): number {
  return sum(rows, row => (isDeposit(row) ? creditedCents(row) : 0))
}

/** Whether the money of a row arrived and no bank returned it; includes fully refunded or disputed rows. */
export function isReceived(row: Pick<LedgerRow, 'status' | 'voidedAt'>): boolean {
  return ['succeeded', 'refunded', 'disputed'].includes(row.status) && row.voidedAt === null
}

/**
 * What was credited to the deposit, in cents: paid or transferred in, less what was transferred out, taken by disputes
 * or refunded as a correction. A returned or refunded deposit stays credited, because it is not owed again.
 */
export function depositCreditedCents(rows: readonly LedgerRow[]): number {
  const { movedCents, receivedCents } = depositSums(rows)
  return Math.max(0, receivedCents + movedCents)
}

/**
 * A deposit in cents, where received + moved + short = held + returned + kept (DEP-06). `shortCents` is what disputes, or
 * refunds at the provider, took beyond what was held.
 */
export function depositSums(rows: readonly LedgerRow[]) {
  const creditedOf = (type: PaymentType) =>
    sum(rows, row => (row.type === type && isReceived(row) ? row.amountCents - notCredited(row) : 0))
  const [paid, moved, corrected] = [
    creditedOf('deposit'),
    creditedOf('deposit_transfer'),
    correctedByHandCents(rows),
  ]
  // Corrections reduce money that was moved here first, so that a new payment counts as received.
  const receivedCents = Math.max(0, paid - Math.max(0, corrected - Math.max(0, moved)))
  const movedCents = paid + moved - corrected - receivedCents
  const returnedCents = depositReturnedOrRefundedCents(rows)
  const kept = keptCents(rows)
  const leftCents = receivedCents + movedCents - returnedCents - kept
  const heldCents = Math.max(0, leftCents)
  return {
    receivedCents,
    movedCents,
    shortCents: heldCents - leftCents,
    heldCents,
    returnedCents,
    keptCents: kept,
  }
}

/** Of what went back, the part that does not count as the deposit's return. */
const notCredited = ({ correctedAmountCents = 0, lostAmountCents }: LedgerRow) =>
  lostAmountCents + correctedAmountCents

/** The deposit returned by hand or refunded, in cents. */
function depositReturnedOrRefundedCents(rows: readonly LedgerRow[]): number {
  const returned = sum(rows, row => {
    if (row.type === 'deposit_return') return -creditedCents(row)
    return isDeposit(row) && isReceived(row) ? row.refundedAmountCents - notCredited(row) : 0
  })
  return returned - correctedByHandCents(rows)
}

/** Returned by hand for a stay that was reinstated, so that it is owed again; in cents (CHANGE-16). */
const correctedByHandCents = (rows: readonly LedgerRow[]): number =>
  sum(rows, row => (row.type === 'deposit_return' && isCounted(row) ? (row.correctedAmountCents ?? 0) : 0))

/** What is still due of a deposit, in cents; a returned deposit is not due again. */
export function unpaidDepositCents(depositCents: number, rows: readonly LedgerRow[]): number {
  return Math.max(0, depositCents - depositCreditedCents(rows))
}

/**
 * The part of a deposit that was returned and is not owed again, in cents. A deposit paid twice and returned once is
 * still held. One that was returned, and whose payment was then lost in a dispute, is due again, but only once.
 */
export function returnedDepositCents(depositCents: number, rows: readonly LedgerRow[]): number {
  const coveredCents = Math.max(depositCents, depositCreditedCents(rows))
  const left = Math.max(0, coveredCents - depositReturnedOrRefundedCents(rows))
  return depositCents - Math.min(depositCents, left)
}

/** The deposit that was neither returned nor kept, in cents. */
export function depositHeldCents(rows: readonly LedgerRow[]): number {
  return (
    depositPaidCents(rows) + sum(rows, row => (isDepositSettled(row) && isCounted(row) ? row.amountCents : 0))
  )
}

/** What deductions keep of the deposit, in cents. */
export function keptCents(rows: readonly LedgerRow[]): number {
  return sum(rows, row => (row.type === 'deduction' && isCounted(row) ? -row.amountCents : 0))
}

/** The part of it that paid what was owed, in cents (DEP-08). */
export const keptForBillCents = (rows: readonly LedgerRow[]): number =>
  keptCents(rows.filter(row => row.paysBill === true))

/** The most that can be returned by hand or, for the deposit, returned or kept, in cents; what is kept stays (DEP-09). */
export function returnableCents(kind: PaymentType, rows: readonly LedgerRow[]): number {
  const unkeptCents = paidCents(rows) - keptCents(rows)
  return kind === 'refund' ? unkeptCents : Math.min(depositHeldCents(rows), unkeptCents)
}

/** What will be given back by hand is a pending row below 0. */
export const isToGoBackByHand = ({ amountCents, status }: LedgerRow) =>
  status === 'pending' && amountCents < 0

/** The rows as they will be after all requested refunds; `requestedRefundCents` is part of the total charged. */
export function afterRequestedRefunds<Row extends LedgerRow & { requestedRefundCents: number }>(
  rows: readonly Row[],
): Row[] {
  return rows.map(row => {
    if (isToGoBackByHand(row)) return { ...row, status: 'succeeded' }
    if (row.requestedRefundCents === 0) return row
    const refunded = shareRefund(
      row,
      row.refundedAmountCents + row.refundedFeeCents + row.requestedRefundCents,
    )
    return { ...row, refundedAmountCents: refunded.amountCents, refundedFeeCents: refunded.feeCents }
  })
}

/** What a transfer moves; by default, other money first and then the deposit. */
export const transferKinds = ['deposit', 'other'] as const
export type TransferKind = (typeof transferKinds)[number]

/**
 * The most that can be transferred, in cents, in total and of each kind, and how an amount is split.
 * @param fixedCents what is kept beside the deductions
 */
export function transferable(rows: readonly LedgerRow[], fixedCents = 0) {
  const maxCents = Math.max(0, paidCents(rows) - keptCents(rows) - fixedCents)
  const heldCents = Math.max(0, depositHeldCents(rows))
  const otherThanDeposit = Math.max(0, maxCents - heldCents)
  return {
    maxCents,
    maxOfKind: { deposit: Math.min(heldCents, maxCents), other: otherThanDeposit },
    divide: (cents: number, kind?: TransferKind) => {
      if (kind === 'deposit') return { otherCents: 0, depositCents: cents }
      const otherCents = kind === 'other' ? cents : Math.min(cents, otherThanDeposit)
      return { otherCents, depositCents: cents - otherCents }
    },
  }
}

export type Balance = {
  owedCents: number
  paidCents: number
  /** A deposit that was returned to the tenant is not owed again. */
  depositReturnedCents: number
  /** Owed minus paid: positive is still due, negative is overpaid. */
  balanceCents: number
  /** The absolute balance, for `label` (MONEY-05). */
  amountCents: number
  label: BalanceLabel
}
export const balanceLabels = ['Amount owed', 'Overpaid', 'Paid in full', 'Nothing owed yet'] as const
type BalanceLabel = (typeof balanceLabels)[number]

/**
 * The balance of an application in cents (MONEY-03 to -05). `owedCents` is the sum of the charges that are not voided;
 * `depositCents` is the deposit among them.
 */
export function balance({
  owedCents,
  depositCents = owedCents,
  rows,
}: {
  owedCents: number
  depositCents?: number
  rows: readonly LedgerRow[]
}): Balance {
  const paid = paidCents(rows)
  const depositReturnedCents = returnedDepositCents(depositCents, rows)
  const balanceCents = owedCents - paid - depositReturnedCents - keptForBillCents(rows)
  return {
    owedCents,
    paidCents: paid,
    depositReturnedCents,
    balanceCents,
    amountCents: Math.abs(balanceCents),
    label: balanceLabel(balanceCents, owedCents),
  }
}

/**
 * What is still kept of a cancelled stay, in cents: what has gone back since, or is lost to a dispute, is kept no more and
 * never owed again (CHANGE-12, CHANGE-17).
 */
export function stillKeptCents(keptCents: number, rows: readonly LedgerRow[]): number {
  const heldCents = Math.max(0, depositHeldCents(rows))
  return Math.max(0, Math.min(keptCents, paidCents(rows) + keptForBillCents(rows) - heldCents))
}

/**
 * The money of an application without a booking, which owes nothing, in cents: paid = returned + kept + claimed + to return. What
 * disputes took counts as never paid. The deposit that is held goes back in any case (CHANGE-09).
 * @param keptOfStayCents the amount kept from a cancelled stay, including deductions
 * @param toldCents what the tenant was told is claimed of the deposit and not kept yet; of what is held it stays (DEP-21)
 */
export function endedSums(rows: readonly LedgerRow[], keptOfStayCents = 0, toldCents = 0) {
  const leftCents = Math.max(0, paidCents(rows))
  const isBack = (row: LedgerRow) => isDepositSettled(row) || row.type === 'refund'
  const received = sum(rows, row =>
    isReceived(row) && !isBack(row) ? row.amountCents - row.lostAmountCents : 0,
  )
  // Money that was transferred away and then lost in a dispute lowers this sum, but nobody was refunded.
  const receivedCents = Math.max(leftCents, received)
  const heldCents = Math.max(0, depositHeldCents(rows))
  const mostCents = Math.max(0, leftCents - heldCents)
  const kept = Math.min(mostCents, Math.max(keptOfStayCents, keptCents(rows)))
  const claimedCents = Math.min(toldCents, heldCents, leftCents - kept)
  return {
    paidCents: receivedCents,
    returnedCents: receivedCents - leftCents,
    keptCents: kept,
    ...(claimedCents > 0 && { claimedCents }),
    toReturnCents: leftCents - kept - claimedCents,
  }
}

function balanceLabel(balanceCents: number, owedCents: number): BalanceLabel {
  if (balanceCents > 0) return 'Amount owed'
  if (balanceCents < 0) return 'Overpaid'
  return owedCents > 0 ? 'Paid in full' : 'Nothing owed yet'
}

/** A refund's parts of amount and fee, in cents. */
type RefundShare = { amountCents: number; feeCents: number }

/**
 * Splits the total refunded so far in proportion, with the fee's part rounded half up. Uses the running total, so that
 * a full refund is exact.
 */
export function shareRefund(
  payment: { amountCents: number; feeCents: number },
  refundedTotalCents: number,
): RefundShare {
  const total = payment.amountCents + payment.feeCents
  const refunded = Math.max(0, Math.min(refundedTotalCents, total))
  if (total <= 0) return { amountCents: 0, feeCents: 0 }
  // BigInt, because cents times cents exceed safe integers from about a million dollars.
  const feeCents = Number(
    (2n * BigInt(refunded) * BigInt(payment.feeCents) + BigInt(total)) / (2n * BigInt(total)),
  )
  return { amountCents: refunded - feeCents, feeCents }
}

/**
 * The status and refunded parts of a payment that the provider received, from its refunds and disputes. A dispute takes
 * its own amount, at most what refunds have left, whether it is open or lost. It is part of what is refunded.
 */
export function stateOfPaid(
  payment: { amountCents: number; feeCents: number },
  of: {
    refundedTotalCents: number
    /** The part of the refunds that were corrections. */
    correctedTotalCents?: number
    withheldCents: number
    lostCents: number
    isReturned?: boolean
  },
): {
  status: 'succeeded' | 'refunded' | 'disputed' | 'returned'
  refunded: RefundShare
  lostAmountCents: number
  correctedAmountCents: number
} {
  const { correctedTotalCents = 0, isReturned = false, lostCents, refundedTotalCents, withheldCents } = of
  const goneCents = refundedTotalCents + withheldCents + lostCents
  const refunded = shareRefund(payment, goneCents)
  const amountOf = (totalCents: number) => shareRefund(payment, totalCents).amountCents
  const lostAmountCents = refunded.amountCents - amountOf(refundedTotalCents)
  const correctedAmountCents =
    amountOf(refundedTotalCents) - amountOf(refundedTotalCents - correctedTotalCents)
  const whenGone = withheldCents > 0 ? 'disputed' : 'refunded'
  const isGone = goneCents >= payment.amountCents + payment.feeCents
  const status = isReturned ? 'returned' : isGone ? whenGone : 'succeeded'
  return { status, refunded, lostAmountCents, correctedAmountCents }
}

/** A refund or dispute in cents, of one payment of a checkout by its index or of none in particular. */
export type SentBack = { cents: number; of?: number | undefined }

/**
 * How much of each payment of one checkout the refunds and disputes take that name none of them, in cents. They are taken
 * from the last payment first, and so from the deposit last, like a transfer; but exactly what the first had left then, or
 * its amount without the fee, is of the first, as when the owner returns a deposit at the provider. The parts always add up; what is more than
 * all payments have left is with the first.
 * @param sentBack in the order of time: what comes later changes an earlier part only where it leaves no room for it
 */
export function shareTotals(
  rows: readonly { amountCents: number; feeCents: number }[],
  sentBack: readonly SentBack[],
): number[][] {
  const payments = rows.map(({ amountCents, feeCents }) => amountCents + feeCents)
  const leftThen = [...payments]
  const left = payments.map(
    (total, i) => total - sentBack.reduce((sum, { cents, of }) => sum + (of === i ? cents : 0), 0),
  )
  return sentBack.flatMap(({ cents, of }) => {
    if (of !== undefined) {
      leftThen[of] = (leftThen[of] ?? 0) - cents
      return []
    }
    let rest = cents
    const parts = left.map(() => 0)
    const take = (i: number, most: number) => {
      const part = Math.min(rest, Math.max(0, most))
      parts[i] = (parts[i] ?? 0) + part
      left[i] = (left[i] ?? 0) - part
      leftThen[i] = (leftThen[i] ?? 0) - part
      rest -= part
    }
    const isWhole = (i: number) =>
      leftThen[i] === cents || (leftThen[i] === payments[i] && rows[i]?.amountCents === cents)
    if (isWhole(0) && !rows.some((_, i) => i > 0 && isWhole(i))) take(0, left[0] ?? 0)
    for (let i = left.length - 1; i > 0; i--) take(i, left[i] ?? 0)
    take(0, rest)
    return [parts]
  })
}

/**
 * Whether a refund counts as refunded: a pending one does, and may fail even after it succeeded. Our own requests
 * (requested, then answered or failed) are stored in the same table as the provider's refunds and do not count.
 */
export const isRefundCounted = (status: string): boolean => !uncountedRefundStatuses.includes(status)
export const uncountedRefundStatuses: readonly string[] = ['requested', 'answered', 'canceled', 'failed']

/** Statuses of a dispute in which the payer's bank holds the disputed amount. */
/** The provider's status of a question before a dispute. */
export const disputeInquiry = 'warning_needs_response'
export const openDisputeStatuses: readonly string[] = ['needs_response', 'under_review']

/**
 * Whether a dispute with this status returns a bank payment for good: all except won, prevented or an early warning.
 */
export function isBankReturn(disputeStatus: string): boolean {
  return !['won', 'prevented'].includes(disputeStatus) && !disputeStatus.startsWith('warning')
}

/** Types of money returned or kept by hand: their amount is negative. */
export const returnTypes: readonly PaymentType[] = ['refund', 'deposit_return', 'deduction']

const isDeposit = (row: LedgerRow) => row.type === 'deposit' || row.type === 'deposit_transfer'
const isDepositSettled = (row: LedgerRow) => row.type === 'deposit_return' || row.type === 'deduction'

function sum(rows: readonly LedgerRow[], cents: (row: LedgerRow) => number): number {
  return rows.reduce((total, row) => total + cents(row), 0)
}
