import { stringify } from 'csv-stringify/sync'
import { requireAdmin, type SignedIn } from '../../../domain/accounts/access.ts'
import { dateIn } from '../../../domain/common/dates.ts'
import { paymentTypeLabels } from '../../../domain/money/ledger.ts'
import { revenueFileName } from '../../../domain/money/payment.ts'
import type { RevenueInput } from '../../../domain/money/payment-input.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { AdminPaymentView } from '../payment-views.ts'
import { revenuePayments } from './revenue.ts'

type Payment = AdminPaymentView
/** A column's heading, and its cell: text, or an amount in cents. */
type CsvColumn = [heading: string, cell: (payment: Payment, timeZone: string) => string | number]

const columns: CsvColumn[] = [
  ['Date', ({ paidAt }, timeZone) => (paidAt ? dateIn(new Date(paidAt), timeZone) : 'N/A')],
  ['Application', ({ applicationId }) => applicationId?.applicationNumber ?? 'Unlinked'],
  ['Customer', ({ userId }) => `${userId.firstName} ${userId.lastName}`],
  ['E-mail', ({ userId }) => userId.email],
  ['Type', ({ paymentType }) => paymentTypeLabels[paymentType]],
  ['Method', payment => methodOf(payment)],
  ['Check number', ({ checkNumber }) => checkNumber],
  ['Reference', ({ stripePaymentIntentId }) => stripePaymentIntentId ?? ''],
  ['Description', ({ description }) => description],
  ['Notes', ({ notes }) => notes],
  ['Amount', ({ amount }) => amount],
  ['Card fee', ({ feeAmount }) => feeAmount],
  ['Refunded or disputed', payment => payment.refundedAmount + payment.refundedFeeAmount],
  [
    'Total revenue',
    ({ creditedAmount, feeAmount, refundedFeeAmount }) => creditedAmount + feeAmount - refundedFeeAmount,
  ],
  ['Net revenue', ({ creditedAmount }) => creditedAmount],
]

function methodOf({ method, providerMethod }: Payment): string {
  if (method !== 'card') return 'By hand'
  return providerMethod === 'us_bank_account' ? 'Bank account' : 'Card'
}

/**
 * A period's revenue payments as CSV (RFC 4180, UTF-8 with a byte order mark), streamed: US dollars, the property's
 * dates, newest first. Text that looks like a formula gets an apostrophe (REV-14).
 * @throws AppError unauthorized; forbidden, also without a step-up
 */
export function revenueCsv(
  deps: Deps,
  actor: SignedIn,
  input: RevenueInput,
): { fileName: string; parts: AsyncGenerator<string> } {
  requireAdmin(actor)
  requireStepUp(deps, deps.db, actor)
  return { fileName: revenueFileName(input), parts: csvParts(deps, input) }
}

async function* csvParts(deps: Deps, input: RevenueInput): AsyncGenerator<string> {
  const { timeZone } = deps.config.site
  yield `\uFEFF${lines([columns.map(([heading]) => heading)])}`
  for await (const payments of revenuePayments(deps, input))
    yield lines(payments.map(payment => columns.map(([, cell]) => cell(payment, timeZone))))
}

const lines = (rows: (string | number)[][]): string =>
  stringify(rows, {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { number: cents => (cents / 100).toFixed(2) },
  })
