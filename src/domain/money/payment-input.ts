import { z } from 'zod'
import { pastDate, positiveCents } from '../common/inputs.ts'
import { maxAmountCents } from '../common/money.ts'
import { recordId } from '../common/record-ids.ts'
import { providerMethods, refundPurposes, transferKinds } from './ledger.ts'
import {
  manualTypes,
  maxCheckoutTotalCents,
  minCheckoutCents,
  moneyReturnKinds,
  payableTypes,
  validAmountMessage,
} from './payment.ts'

const text = (max: number) => z.string().trim().max(max, `Please use at most ${max} characters`)
const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform(value => value ?? '')
/** Optional; an empty text from a form counts as missing. */
const optionalRecordId = recordId.nullish().transform(id => id || undefined)
const cents = z.number({ error: validAmountMessage }).int(validAmountMessage)

const checkoutLine = {
  amount: positiveCents(validAmountMessage).min(minCheckoutCents, validAmountMessage),
  creditCardFee: cents.min(0, validAmountMessage).max(maxAmountCents, validAmountMessage),
}

/**
 * POST /api/payment/create-checkout-session: amounts in cents as computed by the page and checked by the server. With
 * `rent` the deposit is paid together with this rent, in one checkout; the total is that of both.
 */
export const checkoutInput = z
  .object({
    ...checkoutLine,
    rent: z.object(checkoutLine).optional(),
    totalAmount: positiveCents(validAmountMessage).max(maxCheckoutTotalCents, validAmountMessage),
    paymentType: z.enum(payableTypes, 'Please choose what to pay'),
    providerMethod: z
      .enum(providerMethods, 'Please choose card or us_bank_account')
      .nullish()
      .transform(method => method ?? 'card'),
    applicationId: optionalRecordId,
    description: optionalText(500),
    successUrl: z.string().max(2000).optional(),
    cancelUrl: z.string().max(2000).optional(),
  })
  .refine(({ paymentType, rent }) => paymentType === 'deposit' || rent === undefined, {
    path: ['rent'],
    message: 'Rent can be added only to a deposit',
  })
export type CheckoutInput = z.infer<typeof checkoutInput>
export type CheckoutLine = Pick<CheckoutInput, 'amount' | 'creditCardFee' | 'paymentType'>

/** What is paid in a checkout: one payment, or the deposit and then the rent. */
export function linesOf({ rent, ...first }: CheckoutInput): [CheckoutLine, ...CheckoutLine[]] {
  return rent ? [first, { ...rent, paymentType: 'rent' }] : [first]
}

export const historyInput = z.object({ applicationId: optionalRecordId })
export const adminHistoryInput = historyInput.extend({ userId: recordId })
export const bySessionInput = z.object({ sessionId: z.string().min(1).max(300) })
export const paymentIdInput = z.object({ paymentId: recordId })
export const availableDepositsInput = z.object({ userId: recordId })
export const quarantinedInput = z.object({ eventId: z.string().max(300) })

const requiredMessage = 'Please fill in all required fields'
const requiredCents = (missing: string) =>
  z
    .number({
      error: issue => (issue.input === undefined || issue.input === null ? missing : validAmountMessage),
    })
    .int(validAmountMessage)
    .min(1, validAmountMessage)
    .max(maxAmountCents, validAmountMessage)

/** Idempotency key, created when the form opens, so that submitting twice records one. */
const requestId = z.uuid('Please open the form again').optional()

/** The Add Manual Payment form; the amount is in cents, the date in the property's time zone (ADMAPP-33). */
export const manualPaymentInput = z.object({
  amount: requiredCents(requiredMessage),
  paymentType: z.enum(manualTypes, requiredMessage),
  paymentDate: z
    .union([z.literal('').transform(() => undefined), pastDate()])
    .nullish()
    .transform(date => date ?? undefined),
  checkNumber: optionalText(50),
  notes: optionalText(1000),
  applicationId: z.string(requiredMessage).min(1, requiredMessage).max(100),
  requestId,
})
export type ManualPaymentInput = z.infer<typeof manualPaymentInput>

const transferMessage = 'Please select destination application and enter amount'
/** The Transfer Amount form; `depositAmount` is in cents (ADMAPP-38). */
export const transferInput = z.object({
  fromApplicationId: z.string(transferMessage).min(1, transferMessage).max(100),
  toApplicationId: z.string(transferMessage).min(1, transferMessage).max(100),
  depositAmount: requiredCents(transferMessage),
  transferNotes: optionalText(1000),
  kind: z.enum(transferKinds, 'Please choose deposit or other').optional(),
  requestId,
})
export type TransferInput = z.infer<typeof transferInput>

/** A refund to the card, in cents of the total charged (amount and fee); by default everything not yet refunded. */
export const refundInput = z.object({
  paymentId: recordId,
  totalCents: requiredCents(validAmountMessage).optional(),
  /** Idempotency key, created when the dialog opens, so that submitting twice makes one refund. */
  requestId: z.uuid('Please open the refund form again'),
  /** Of a deposit: that it goes back (default), or that it is owed again. */
  purpose: z.enum(refundPurposes, 'Please choose what this refund is').optional(),
})
export type RefundInput = z.infer<typeof refundInput>

/** Money returned by hand, or kept from the deposit with a reason. Positive cents. */
export const recordReturnInput = z
  .object({
    applicationId: z.string(requiredMessage).min(1, requiredMessage).max(100),
    kind: z.enum(moneyReturnKinds, requiredMessage),
    amount: requiredCents(requiredMessage),
    date: pastDate().optional(),
    checkNumber: optionalText(50),
    reason: optionalText(500),
    requestId,
  })
  .refine(input => input.kind !== 'deduction' || input.reason !== '', {
    path: ['reason'],
    message: 'Please say what the deduction is for',
  })
export type RecordReturnInput = z.infer<typeof recordReturnInput>

const year = z.number().int().min(2000, 'Please choose a year').max(2200, 'Please choose a year')
/** All time, one year, or one month of a year (REV-05). */
export const revenueInput = z
  .object({
    period: z.enum(['year', 'month']).optional(),
    year: year.optional(),
    month: z.number().int().min(1, 'Please choose a month').max(12, 'Please choose a month').optional(),
  })
  .refine(input => input.period === undefined || input.year !== undefined, {
    path: ['year'],
    message: 'Please choose a year',
  })
  .refine(input => input.period !== 'month' || input.month !== undefined, {
    path: ['month'],
    message: 'Please choose a month',
  })
export type RevenueInput = z.infer<typeof revenueInput>
