/** The default card fee, in basis points. */
export const defaultCardFeeBasisPoints = 300
export const defaultDepositCents = 500_00
export const defaultRentCents = 2500_00
/** Ten million dollars; more is a typo. */
export const maxAmountCents = 1_000_000_000

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `123400` -> `$1,234.00`, `-51500` -> `−$515.00`. */
export function formatCents(cents: number): string {
  return usd.format(cents / 100).replace('-', '−')
}

/** Converts dollars with at most two decimals to integer cents. */
export function dollarsToCents(dollars: number): number {
  return Math.round(dollars * 100)
}

/** Converts integer cents to dollars for responses. */
export function centsToDollars(cents: number): number {
  return cents / 100
}

/** The card fee on an amount, rounded half up to the cent. Both in integer cents. */
export function cardFeeCents(amountCents: number, basisPoints: number = defaultCardFeeBasisPoints): number {
  // Plain numbers, because the largest amount times the largest rate is a safe integer.
  return Math.floor((amountCents * basisPoints + 5000) / 10_000)
}
