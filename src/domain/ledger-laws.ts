import {
  anticipated,
  depositHeldCents,
  isCounted,
  isReceived,
  type LedgerRow,
  type PaymentType,
  paidCents,
  paymentTypeLabels,
  shareRefund,
} from './ledger.ts'
import { formatCents } from './money.ts'

// What can never be in the ledger. The services refuse what would break a law, `verify` and the tests look for what did.

/** A ledger row with what the laws need to know besides; also of removed payments. Cents. */
export type LawRow = LedgerRow & {
  id: string
  transferId: string | null
  description: string
  /** Refunds of it that were asked for here and that the provider has not answered, of the total charged. */
  askedCents: number
  /** Refunds of it that were asked for here and made, of the total charged. */
  madeCents: number
}

/** The rows of one application or, without one, of a tenant's payments that belong to none. */
export type Account = {
  applicationId: string | null
  userId: string
  /** Its name in sentences, such as `APP-2026-0001`. */
  label: string
  rows: readonly LawRow[]
}

/** One sum that may not fall below zero, in cents. */
type Figure = {
  nowCents: number
  /** The same once every refund that was asked for is made. */
  afterRefundsCents: number
  /** What the provider took by itself: refunds in its dashboard, disputes that are open or lost. */
  takenCents: number
}

/** What was paid on an account, and what is held there of the deposit. */
type Standing = { paid: Figure; deposit: Figure }

export type Law =
  | 'paid-below-zero'
  | 'deposit-below-zero'
  | 'refunded-above-payment'
  | 'transfer-uneven'
  | 'transfer-alone'
  | 'arrival-unreported'

export type Violation = {
  law: Law
  /** The provider's doing cannot be refused, only told; the program's own may never happen. */
  cause: 'program' | 'provider'
  /** The payment, transfer or account that breaks it. */
  subject: string
  account: Pick<Account, 'applicationId' | 'userId'> | null
  title: string
  /** What happened and what the owner can do. */
  sentence: string
}

/** How an account stands. */
export function standingOf({ rows }: Pick<Account, 'rows'>): Standing {
  const deposits = rows.filter(row => row.type === 'deposit')
  const after = anticipated(rows)
  return {
    paid: { nowCents: paidCents(rows), afterRefundsCents: paidCents(after), takenCents: takenOf(rows) },
    deposit: {
      nowCents: depositHeldCents(rows),
      afterRefundsCents: depositHeldCents(after),
      takenCents: takenOf(deposits),
    },
  }
}

const takenOf = (rows: readonly LawRow[]) => rows.reduce((sum, row) => sum + takenByProviderCents(row), 0)

/** What would be credited had nobody but this site given back, less what is: never below zero. */
function takenByProviderCents(row: LawRow): number {
  const arrived = isReceived(row) || (row.status === 'disputed' && row.voidedAt === null)
  if (row.method !== 'card' || !arrived) return 0
  const own = shareRefund(row, row.madeCents + row.askedCents).amountCents
  return Math.max(0, row.amountCents - own - paidCents(anticipated([row])))
}

/** What the program itself took below zero: zero or negative. */
const unexplained = ({ afterRefundsCents, takenCents }: Figure) => Math.min(0, afterRefundsCents + takenCents)

/**
 * Why a change of an account is refused: it would take what was paid, or the deposit that is held, below zero or
 * further below. Undefined for a change that may be made. Names what stands against it.
 */
export function refusalOf(before: Account, after: Account): string | undefined {
  const [was, is] = [standingOf(before), standingOf(after)]
  if (worsens(was.paid, is.paid))
    return `${formatCents(is.paid.afterRefundsCents)} would be left on ${after.label}. ${against(before, ['refund', 'deposit_return'])}`
  if (worsens(was.deposit, is.deposit))
    return `${formatCents(is.deposit.afterRefundsCents)} would be left of the deposit of ${after.label}. ${against(before, ['deposit_return', 'deduction'])}`
  return undefined
}

function worsens(was: Figure, is: Figure): boolean {
  if (is.afterRefundsCents >= 0) return false
  return is.afterRefundsCents < was.afterRefundsCents || unexplained(is) < unexplained(was)
}

const maxNamed = 5

/** What has gone from an account, newest first, as a sentence. */
function against({ rows }: Account, types: readonly PaymentType[]): string {
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
    .filter(row => row.askedCents > 0 && row.voidedAt === null)
    .map(row => `card refund under way ${formatCents(row.askedCents)}`)
  const all = [...asked, ...named]
  if (all.length === 0) return 'Less was paid than that.'
  const more = all.length > maxNamed ? `, and ${all.length - maxNamed} more` : ''
  return `Already taken from it: ${all.slice(0, maxNamed).join(', ')}${more}.`
}

/** Everything in these accounts that breaks a law. */
export function violationsOf(accounts: readonly Account[]): Violation[] {
  return [
    ...accounts.flatMap(overdrafts),
    ...accounts.flatMap(account => account.rows.flatMap(row => rowViolations(account, row))),
    ...transferViolations(accounts),
  ]
}

/** What of an account stands below zero; the owner's notices are these. */
export function overdrafts(account: Account): Violation[] {
  const { paid, deposit } = standingOf(account)
  const isBelow = (figure: Figure) => figure.nowCents < 0 || unexplained(figure) < 0
  const found = isBelow(paid) ? [belowZero(account, 'paid-below-zero', paid)] : []
  // What the provider took of both is told once.
  if (isBelow(deposit) && (!isBelow(paid) || unexplained(deposit) < 0))
    found.push(belowZero(account, 'deposit-below-zero', deposit))
  return found
}

function belowZero(
  account: Account,
  law: 'paid-below-zero' | 'deposit-below-zero',
  figure: Figure,
): Violation {
  const { applicationId, label, rows, userId } = account
  const isPaid = law === 'paid-below-zero'
  const cents = Math.min(figure.nowCents, figure.afterRefundsCents)
  const disputed = rows.some(row => row.status === 'disputed' && row.voidedAt === null)
  const what = isPaid ? `${formatCents(cents)} is paid` : `${formatCents(cents)} is held of the deposit`
  const taken =
    figure.takenCents > 0
      ? `${formatCents(figure.takenCents)} went back by itself at the card provider, by a dispute or a refund made there.`
      : 'Entries here gave back more than had come.'
  const gone = against(account, isPaid ? ['refund', 'deposit_return'] : ['deposit_return', 'deduction'])
  const wait = disputed ? ' A dispute that is won brings its money back.' : ''
  return {
    law,
    cause: unexplained(figure) < 0 ? 'program' : 'provider',
    subject: label,
    account: { applicationId, userId },
    title: isPaid
      ? `More money went back than came on ${label}`
      : `More of the deposit of ${label} is gone than was held`,
    sentence: `${what}. ${taken} ${gone}${wait} Ask the tenant to pay it again and add it as a manual payment, or delete an entry that was never paid out.`,
  }
}

function rowViolations({ applicationId, label, userId }: Account, row: LawRow): Violation[] {
  const { amountCents, feeCents, lostAmountCents, refundedAmountCents, refundedFeeCents } = row
  const of = (law: Law, title: string, sentence: string): Violation => ({
    law,
    cause: 'program',
    subject: row.id,
    account: { applicationId, userId },
    title,
    sentence,
  })
  const found: Violation[] = []
  if (row.method === 'transfer' && row.transferId === null)
    found.push(
      of(
        'transfer-alone',
        `A transfer on ${label} is without its other side`,
        'Delete it and make the transfer again.',
      ),
    )
  const most = Math.max(0, amountCents)
  if (
    [refundedAmountCents, refundedFeeCents, lostAmountCents].some(cents => cents < 0) ||
    refundedAmountCents > most ||
    refundedFeeCents > feeCents ||
    lostAmountCents > refundedAmountCents
  )
    found.push(
      of(
        'refunded-above-payment',
        `A payment on ${label} has more refunded than was paid`,
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
        law: 'transfer-uneven' as const,
        cause: 'program' as const,
        subject: transferId,
        account: null,
        title: `The two sides of a transfer on ${labels} do not sum to zero`,
        sentence: 'Delete what is left of it and make the transfer again.',
      },
    ]
  })
}

/** A card payment that came for an application when it took none any more: declined, withdrawn, cancelled or deleted. */
export type Arrival = {
  payment: LawRow
  /** Where it stands now. */
  account: Account
  /** Whether the owner's notices name it, or named it until the owner dismissed that. */
  isReported: boolean
}

/** Such money may come, but never unnoticed: while it is here the owner is told of it. */
export function unreportedArrivals(arrivals: readonly Arrival[]): Violation[] {
  return arrivals
    .map(arrival => ({
      ...arrival,
      leftCents: Math.min(paidCents([arrival.payment]), paidCents(arrival.account.rows)),
    }))
    .filter(({ isReported, leftCents }) => !isReported && leftCents > 0)
    .map(({ account, leftCents, payment }) => ({
      law: 'arrival-unreported',
      cause: 'program',
      subject: payment.id,
      account: { applicationId: account.applicationId, userId: account.userId },
      title: `Money came for ${account.label}, which takes none any more`,
      sentence: `${formatCents(leftCents)} came by card. Refund the payment to the card.`,
    }))
}
