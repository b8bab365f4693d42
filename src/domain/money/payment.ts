import { dayMs } from '../common/durations.ts'
import type { PaymentStatus, PaymentType, ProviderMethod } from './ledger.ts'

export const validAmountMessage = 'Please enter a valid amount'
/** Types that a tenant can pay by card (PAY-04), and types that the admin can enter by hand. */
export const payableTypes = ['deposit', 'rent'] as const
export const manualTypes = ['rent', 'deposit', 'other'] as const
export type PayableType = (typeof payableTypes)[number]
/** Quick amounts for rent. */
export const rentQuickAmountsCents = [1000_00, 1500_00, 2000_00, 2500_00, 3000_00, 3500_00] as const
/** The minimum card payment (PAY-09), and the provider's maximum for amount plus fee. */
export const minCheckoutCents = 1_00
export const maxCheckoutTotalCents = 99_999_999
/** The provider replaces this with the session's id. */
export const sessionIdPlaceholder = '{CHECKOUT_SESSION_ID}'

/** Error messages for bank payments and their refunds. */
export const bankMessages = {
  notOffered: 'Bank payments are not offered here.',
  unavailable: 'Bank payments are not available at the moment. Please pay by card or in another way.',
  onItsWay: 'This payment is still on its way from the bank. Please wait for its end.',
  returned: 'The bank has taken this payment back. Nothing is left to refund.',
  tooOld: 'A bank payment can be refunded for 180 days. Please return the money by hand.',
} as const

const bankRefundMs = 180 * dayMs

/** Why a bank payment cannot be refunded at the moment, as a message (BANK-12); undefined for any other payment. */
export function bankRefundError(
  payment: { providerMethod: ProviderMethod | null; status: PaymentStatus; paidAt: string | null },
  now: Date,
): string | undefined {
  const { paidAt, providerMethod, status } = payment
  if (providerMethod !== 'us_bank_account') return undefined
  if (status === 'processing') return bankMessages.onItsWay
  if (status === 'returned') return bankMessages.returned
  if (paidAt !== null && now.getTime() - Date.parse(paidAt) > bankRefundMs) return bankMessages.tooOld
  return undefined
}

export const moneyReturnKinds = [
  'refund',
  'deposit_return',
  'deduction',
] as const satisfies readonly PaymentType[]
/** How many of the newest payments the revenue screen shows; its export has all. */
export const newestRevenuePayments = 100

/** All time, one year, or one month of a year. */
type RevenuePeriod = {
  period?: 'year' | 'month' | undefined
  year?: number | undefined
  month?: number | undefined
}

/** The file name of a period's export. */
export function revenueFileName({ month, period, year }: RevenuePeriod): string {
  if (!period) return 'revenue-all-time.csv'
  return period === 'year' ? `revenue-${year}.csv` : `revenue-${year}-${String(month).padStart(2, '0')}.csv`
}

const cardBrands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'Eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  us_bank_account: 'Bank account',
  visa: 'Visa',
}

/** `visa` -> `Visa`; unknown brands are capitalized. */
export function cardBrandLabel(brand: string): string {
  return cardBrands[brand] ?? brand.charAt(0).toUpperCase() + brand.slice(1).replaceAll('_', ' ')
}

/** The last 8 characters of the payment reference for screens and receipts, or 'N/A' (HIST-02). */
export function shortTransactionId(reference: string | null): string {
  return reference ? reference.slice(-8) : 'N/A'
}

/** The line of a receipt with what was refunded, or taken by disputes, since the payment. */
export const refundedLabel = ({ isDisputed }: { isDisputed: boolean }): string =>
  isDisputed ? 'Refunded or disputed since' : 'Refunded since'
