import { z } from 'zod'
import { shownEmail } from '../../../domain/accounts/account-rules.ts'
import { applicationStatuses } from '../../../domain/bookings/application-status.ts'
import { apiCents, recordIds, wireDate, wireMoment } from '../../../domain/common/wire.ts'
import {
  balanceLabels,
  creditedCents,
  paymentMethods,
  paymentStatuses,
  paymentTypes,
  providerMethods,
} from '../../../domain/money/ledger.ts'
import { view } from '../../kernel/view.ts'
import type { ListedPayment } from './records.ts'

const names = { firstName: z.string(), lastName: z.string() }
const paidApplication = z.strictObject({ ...recordIds, applicationNumber: z.string(), ...names })
const payer = z.strictObject({ ...recordIds, ...names, email: z.string() })

/** A payment in the tenant's view; amounts in cents. */
export const paymentView = z
  .strictObject({
    ...recordIds,
    amount: apiCents,
    feeAmount: apiCents,
    refundedAmount: apiCents,
    refundedFeeAmount: apiCents,
    /** The part of the refunded amount that disputes took: lost in one, or withheld while it is open. */
    lostAmount: apiCents,
    creditedAmount: apiCents,
    paymentType: z.enum(paymentTypes),
    method: z.enum(paymentMethods),
    providerMethod: z.enum(providerMethods).nullable(),
    status: z.enum(paymentStatuses),
    failureReason: z.string().nullable(),
    description: z.string(),
    checkNumber: z.string(),
    createdAt: wireMoment,
    paidAt: wireMoment.nullable(),
    transferId: z.string().nullable(),
    stripePaymentIntentId: z.string().nullable(),
    receiptUrl: z.string().nullable(),
    cardBrand: z.string().nullable(),
    cardLast4: z.string().nullable(),
    applicationId: paidApplication.nullable(),
    userId: payer,
  })
  .meta({ id: 'Payment' })
export type PaymentView = z.infer<typeof paymentView>

/** A payment in the owner's view, with the notes that the tenant does not see. */
export const adminPaymentView = z
  .strictObject({ ...paymentView.shape, notes: z.string() })
  .meta({ id: 'AdminPayment' })
export type AdminPaymentView = z.infer<typeof adminPaymentView>

/** Amounts in cents, with the names of the application and tenant. */
export function toPaymentView(listed: ListedPayment): PaymentView {
  return view(paymentView, fieldsOf(listed))
}

/** A payment in the owner's view, with the notes that the tenant does not see. */
export function toAdminPaymentView(listed: ListedPayment): AdminPaymentView {
  return view(adminPaymentView, fieldsOf(listed))
}

function fieldsOf({ application, payment, user }: ListedPayment) {
  return {
    ...payment,
    amount: payment.amountCents,
    feeAmount: payment.feeCents,
    refundedAmount: payment.refundedAmountCents,
    refundedFeeAmount: payment.refundedFeeCents,
    lostAmount: payment.lostAmountCents,
    creditedAmount: creditedCents(payment),
    paymentType: payment.type,
    applicationId:
      application && !application.deletedAt
        ? view(paidApplication, { ...application, applicationNumber: application.number })
        : null,
    userId: view(payer, { ...user, email: shownEmail(user.email) }),
  }
}

/**
 * The payments of a checkout for the success page, and the first of them; the receipt is of all of them, `off` if mail
 * is not set up.
 */
export const checkoutPaymentView = z.strictObject({
  payment: z.strictObject({
    ...paymentView.shape,
    receiptEmail: z.enum(['queued', 'sent', 'failed', 'withdrawn', 'off']),
  }),
  payments: z.array(paymentView),
  receiptUrl: z.string().nullable(),
})

const balanceView = z.strictObject({
  owedCents: apiCents,
  paidCents: apiCents,
  depositReturnedCents: apiCents,
  balanceCents: apiCents,
  amountCents: apiCents,
  label: z.enum(balanceLabels),
})

/** The open amounts; rent is null while any amount can be paid ahead. */
const openView = z.strictObject({ depositCents: apiCents, rentCents: apiCents.nullable() })

/** The data of the payment page. */
export const paymentOptionsView = z.strictObject({
  applications: z.array(
    z.strictObject({
      ...recordIds,
      applicationNumber: z.string(),
      status: z.enum(applicationStatuses),
      startDate: wireDate.nullable(),
      endDate: wireDate.nullable(),
      leaseGenerated: z.boolean(),
      balance: balanceView,
      /** Processing payments. */
      onItsWayCents: apiCents,
      depositCents: apiCents,
      depositDueCents: apiCents,
      depositPaid: z.boolean(),
      /** Whether the whole deposit was returned. */
      depositReturned: z.boolean(),
      /** For applications without a payment plan; a plan has separate offers. */
      open: openView,
    }),
  ),
  depositCents: apiCents,
  depositDueCents: apiCents,
  depositPaid: z.boolean(),
  open: openView,
  feeBasisPoints: z.int(),
  cardPayments: z.boolean(),
  bankPayments: z.boolean(),
  email: z.string(),
})

const disputedPayments = z.strictObject({ count: z.int(), amount: apiCents })

/** The revenue of a period; `payments` are the newest payments in it. */
export const revenueView = z.strictObject({
  summary: z.strictObject({
    totalRevenue: apiCents,
    netRevenue: apiCents,
    totalFees: apiCents,
    paymentCount: z.int(),
    averagePayment: apiCents,
  }),
  revenueByType: z.partialRecord(z.enum(paymentTypes), z.strictObject({ amount: apiCents, count: z.int() })),
  monthlyRevenue: z
    .record(z.string(), apiCents)
    .meta({ description: 'By YYYY-MM; months without revenue are 0' }),
  heldDeposits: apiCents.meta({
    description: 'Deposits of all bookings that are held today, whatever the period',
  }),
  disputed: z
    .strictObject({ open: disputedPayments, lost: disputedPayments })
    .meta({ description: 'What disputes keep out of these sums, fees included' }),
  payments: z.array(adminPaymentView),
})
export type RevenueSummary = z.infer<typeof revenueView>

/** A tenant's applications with what is still owed and what could be taken from each. */
export const depositsView = z.array(
  z.strictObject({
    applicationId: z.string(),
    applicationNumber: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    status: z.enum(applicationStatuses),
    totalBalance: apiCents,
    availableToTransfer: apiCents,
    availableOfKind: z.strictObject({ deposit: apiCents, other: apiCents }),
  }),
)

/** A quarantined provider event. */
export const quarantinedView = z.strictObject({
  id: z.string(),
  type: z.string(),
  receivedAt: wireMoment,
  reason: z.string(),
})
