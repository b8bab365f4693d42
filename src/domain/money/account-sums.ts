import {
  afterRequestedRefunds,
  depositHeldCents,
  isReceived,
  keptCents,
  type LedgerRow,
  paidCents,
  shareRefund,
} from './ledger.ts'

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
export type Figure = {
  nowCents: number
  /** The same after all requested refunds. */
  afterRefundsCents: number
  /**
   * Taken at the provider without a request from this site: refunds in its dashboard, open or lost disputes, bank
   * returns.
   */
  takenByProviderCents: number
}

/** The sum paid on an account, the same without what is kept of the deposit, and the deposit held. */
type AccountSums = { paid: Figure; unkept: Figure; deposit: Figure }

/** The sums of an account. */
export function accountSums({ rows }: Pick<Account, 'rows'>): AccountSums {
  const deposits = rows.filter(row => row.type === 'deposit')
  const after = afterRequestedRefunds(rows)
  const paid: Figure = {
    nowCents: paidCents(rows),
    afterRefundsCents: paidCents(after),
    takenByProviderCents: sumTaken(rows),
  }
  const kept = keptCents(rows)
  return {
    paid,
    unkept: {
      ...paid,
      nowCents: paid.nowCents - kept,
      afterRefundsCents: paid.afterRefundsCents - kept,
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
