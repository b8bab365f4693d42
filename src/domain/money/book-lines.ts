// The lines of the books, with their names.

export const incomeKeys = ['rent', 'fees', 'cardFees', 'keptDeposits', 'refunds'] as const
export const depositFlows = ['received', 'moved', 'returned', 'kept'] as const
export type DepositFlow = (typeof depositFlows)[number]
export const taxFlows = ['collected', 'givenBack', 'paidOver'] as const
export type TaxFlow = (typeof taxFlows)[number]
/** Twelve months in cents, January first, and the year. */
export type BookRow<Key extends string = string> = { key: Key; months: number[]; yearCents: number }

export const lineLabels = {
  rent: 'Rent',
  fees: 'Fees',
  cardFees: 'Card fees',
  keptDeposits: 'Kept deposits',
  refunds: 'Refunds',
  income: 'Income',
  providerFees: 'Fees of the card provider',
  net: 'Net',
}
export const depositLabels: Record<DepositFlow | 'opening' | 'closing', string> = {
  opening: 'Held at the start',
  received: 'Received',
  moved: 'Moved by transfers',
  returned: 'Returned',
  kept: 'Kept',
  closing: 'Held at the end',
}
export const taxLabels: Record<TaxFlow | 'opening' | 'closing', string> = {
  opening: 'To pay over at the start',
  collected: 'Collected',
  givenBack: 'Given back',
  paidOver: 'Paid over',
  closing: 'To pay over at the end',
}
export const bridgeLabels = {
  gross: 'Card payments by UTC',
  zone: 'At the property’s time instead',
  deposits: 'Deposits by card',
  notCard: 'Not by card',
  kept: 'Kept deposits',
  taxes: 'Taxes collected',
  refunds: 'Refunds',
  income: 'Income',
}

/** Sums of other lines: no movement is theirs alone. */
export const isSumKey = (key: string): boolean => ['income', 'net', 'opening', 'closing'].includes(key)
export const reportLabels = {
  grossCents: 'Gross receipts',
  exemptCents: 'Exempt receipts',
  taxableCents: 'Taxable receipts',
  taxCents: 'Tax',
  paidOverCents: 'Paid over',
}
export const nightLabels = {
  nights: 'Nights',
  booked: 'Booked',
  elsewhere: 'Elsewhere',
  blocked: 'Blocked',
  open: 'Open',
  percent: 'Occupancy',
  arrivals: 'Arrivals',
}

export const cardLabels = { grossCents: 'Gross', count: 'Payments' }

/** A row of a table as it is shown: twelve months and the year. */
export type TableRow = { key: string; label: string; cells: number[]; isSum: boolean }

/** The rows of a table of sums. */
export const balanceRows = <Key extends string>(
  rows: readonly BookRow<Key>[],
  labels: Record<Key, string>,
): TableRow[] =>
  rows.map(({ key, months, yearCents }) => ({
    key,
    label: labels[key],
    cells: [...months, yearCents],
    isSum: isSumKey(key),
  }))

/** A row for each label, out of what each month and the year say of it. */
export const figureRows = <Key extends string>(
  labels: Record<Key, string>,
  months: readonly NoInfer<Record<Key, number>>[],
  year: NoInfer<Record<Key, number>>,
): TableRow[] =>
  keysOf(labels).map(key => ({
    key,
    label: labels[key],
    cells: [...months, year].map(each => each[key]),
    isSum: key === 'percent',
  }))

export const keysOf = <Key extends string>(labels: Record<Key, unknown>) => Object.keys(labels) as Key[]

export const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Names a line as movements do: `rent`, `deposits.kept`, `taxes.{taxRuleId}.collected`. */
export const nameOfLine =
  (taxes: readonly { taxRuleId: string; name: string }[]) =>
  (line: string): string => {
    const [table, key = ''] = [line.split('.')[0], line.slice(line.lastIndexOf('.') + 1)]
    if (table === 'deposits') return `Deposits: ${depositLabels[key as DepositFlow]}`
    if (table !== 'taxes') return lineLabels[line as keyof typeof lineLabels]
    const tax = taxes.find(({ taxRuleId }) => line === `taxes.${taxRuleId}.${key}`)
    return `${tax?.name ?? 'Tax'}: ${taxLabels[key as TaxFlow]}`
  }

export const movementWhats = {
  charge: 'Charges changed',
  payment: 'Payment',
  transfer: 'Transfer',
  kept: 'Deposit kept',
  refund: 'Refund',
  dispute: 'Dispute lost',
  bankReturn: 'Returned by the bank',
  return: 'Returned by hand',
  remittance: 'Tax paid over',
} as const
export type MovementWhat = keyof typeof movementWhats
