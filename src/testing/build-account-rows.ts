import type { Account, CheckedRow } from '../domain/money/account-sums.ts'

// Rows of the ledger for pure rules: a deposit of $500 by card, what was paid by hand, and what was taken back.

let lastId = 0
export const row = (changes: Partial<CheckedRow> = {}): CheckedRow => ({
  id: `p${++lastId}`,
  createdAt: '2026-03-04T17:00:00.000Z',
  type: 'deposit',
  method: 'card',
  status: 'succeeded',
  amountCents: 500_00,
  feeCents: 15_00,
  refundedAmountCents: 0,
  refundedFeeCents: 0,
  lostAmountCents: 0,
  paidAt: '2026-03-04T17:00:00.000Z',
  voidedAt: null,
  transferId: null,
  description: '',
  requestedRefundCents: 0,
  completedRefundCents: 0,
  inDispute: false,
  ...changes,
})
export const byHand = (type: CheckedRow['type'], amountCents: number) =>
  row({ type, method: 'manual', amountCents, feeCents: 0 })
export const refunded = { status: 'refunded', refundedAmountCents: 500_00, refundedFeeCents: 15_00 } as const
export const disputed = { ...refunded, status: 'disputed', lostAmountCents: 500_00, inDispute: true } as const
export const account = (...rows: CheckedRow[]): Account => ({
  applicationId: 'a',
  isDeleted: false,
  userId: 'u',
  label: 'APP-2026-0001',
  rows,
})
