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
