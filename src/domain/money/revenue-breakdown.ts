import { plural } from '../common/plural.ts'
import { type PaymentType, paymentTypeLabels, paymentTypes, returnTypes } from './ledger.ts'

type ByType<Sum> = Partial<Record<PaymentType, Sum>>

/** Cents with fees, negative for returned money; `share` of everything received, 0 to 1. */
export type RevenuePart = { type: PaymentType; label: string; amount: number; count: number; share?: number }

/** The revenue of a period by type, received and returned by hand, largest first. Only received money has shares. */
export function revenueBreakdown(byType: ByType<{ amount: number; count: number }>): {
  received: RevenuePart[]
  returned: RevenuePart[]
} {
  const parts = paymentTypes
    .flatMap((type): RevenuePart[] => {
      const sum = byType[type]
      return sum ? [{ type, label: returnedLabels[type] ?? paymentTypeLabels[type], ...sum }] : []
    })
    .sort((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
  const received = parts.filter(({ type }) => !returnTypes.includes(type))
  const total = received.reduce((sum, { amount }) => sum + amount, 0)
  return {
    received: total > 0 ? received.map(part => ({ ...part, share: part.amount / total })) : received,
    returned: parts.filter(({ type }) => returnTypes.includes(type)),
  }
}

/** Deposits received less those returned, in cents with fees. */
export const depositsLeft = (byType: ByType<{ amount: number; count: number }>): number =>
  (byType.deposit?.amount ?? 0) + (byType.deposit_return?.amount ?? 0)

/** Counts of returned money: `9 deposits returned`, `1 refund`. */
export function describeReturned(byType: ByType<{ count: number }>): string[] {
  return [
    counted(byType.deposit_return?.count, 'deposit returned', 'deposits returned'),
    counted(byType.refund?.count, 'refund', 'refunds'),
  ].filter(text => text !== '')
}

const returnedLabels: ByType<string> = { deposit_return: 'Deposits returned', refund: 'Refunds' }

const counted = (count: number | undefined, one: string, many: string): string =>
  count ? plural(count, one, many) : ''
