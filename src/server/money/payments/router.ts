import { z } from 'zod'
import { messageResponse } from '../../../domain/common/wire.ts'
import {
  adminHistoryInput,
  availableDepositsInput,
  bySessionInput,
  checkoutInput,
  historyInput,
  manualPaymentInput,
  paymentIdInput,
  quarantinedInput,
  recordReturnInput,
  refundInput,
  revenueInput,
  transferInput,
} from '../../../domain/money/payment-input.ts'
import { adminProcedure, checked, limitedByAddress, router, sessionProcedure } from '../../kernel/trpc.ts'
import { createCheckoutSession } from './checkout/checkout.ts'
import { recordPayment, recordReturn } from './manual-payments.ts'
import { paymentBySession, paymentHistory, paymentHistoryOf, paymentOptions } from './queries.ts'
import { resendReceipt } from './receipts.ts'
import { dismissQuarantined, listQuarantined } from './reconcile/provider-events.ts'
import { refundPayment } from './refund.ts'
import { removePayment } from './remove-payment.ts'
import { revenueSummary } from './revenue.ts'
import { availableDeposits, transferAmount } from './transfer.ts'
import { dismissUnexpectedPayment } from './unexpected-payments.ts'
import {
  adminPaymentView,
  checkoutPaymentView,
  depositsView,
  paymentOptionsView,
  paymentView,
  quarantinedView,
  revenueView,
} from './views.ts'

const adminResponse = z.strictObject({ payment: adminPaymentView })

export const paymentsRouter = router({
  options: sessionProcedure
    .output(checked(paymentOptionsView))
    .query(({ ctx }) => paymentOptions(ctx.deps, ctx.actor)),
  history: sessionProcedure
    .meta({ summary: 'The caller’s payments, newest first', rest: ['GET /api/payment/history'] })
    .input(historyInput.optional())
    .output(checked(z.strictObject({ payments: z.array(paymentView) })))
    .query(({ ctx, input }) => ({ payments: paymentHistory(ctx.deps, ctx.actor, input ?? {}) })),
  createCheckoutSession: sessionProcedure
    .meta({
      ownLimit: true,
      summary: 'Begin a card payment: where to send the browser',
      rest: ['POST /api/payment/create-checkout-session'],
      stepUp: 'never',
    })
    .use(limitedByAddress('checkoutByAddress'))
    .input(checkoutInput)
    .output(checked(z.strictObject({ url: z.string() })))
    .mutation(({ ctx, input }) => createCheckoutSession(ctx.deps, ctx.actor, input)),
  bySession: sessionProcedure
    .meta({
      summary: 'The payment of a checkout, and whether it has arrived',
      rest: ['GET /api/payment/by-session/{sessionId}'],
    })
    .input(bySessionInput)
    .output(checked(checkoutPaymentView))
    .query(({ ctx, input }) => paymentBySession(ctx.deps, ctx.actor, input.sessionId)),

  adminHistory: adminProcedure
    .meta({ summary: 'A tenant’s payments, newest first', rest: ['GET /api/payment/admin/history/{userId}'] })
    .input(adminHistoryInput)
    .output(checked(z.strictObject({ payments: z.array(adminPaymentView) })))
    .query(({ ctx, input }) => ({ payments: paymentHistoryOf(ctx.deps, input) })),
  revenueSummary: adminProcedure
    .meta({
      summary: 'The revenue of all time, a year or a month',
      rest: ['GET /api/payment/admin/revenue-summary'],
    })
    .input(revenueInput.optional())
    .output(checked(revenueView))
    .query(({ ctx, input }) => revenueSummary(ctx.deps, input ?? {})),
  addManual: adminProcedure
    .meta({
      summary: 'Enter a payment that was made by other means',
      rest: ['POST /api/payment/admin/manual-payment'],
      status: 201,
      stepUp: 'sometimes',
    })
    .input(manualPaymentInput)
    .output(checked(adminResponse))
    .mutation(async ({ ctx, input }) => ({ payment: await recordPayment(ctx.deps, ctx.actor, input) })),
  remove: adminProcedure
    .meta({
      summary: 'Take a payment out of every total and list; it stays in the audit log',
      rest: ['DELETE /api/payment/admin/remove/{paymentId}'],
      stepUp: 'always',
    })
    .input(paymentIdInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => removePayment(ctx.deps, ctx.actor, input.paymentId)),
  availableDeposits: adminProcedure
    .meta({
      summary: 'What could be moved from a tenant’s applications',
      rest: ['GET /api/payment/admin/available-deposits'],
    })
    .input(availableDepositsInput)
    .output(checked(z.strictObject({ applications: depositsView })))
    .query(({ ctx, input }) => ({ applications: availableDeposits(ctx.deps, ctx.actor, input.userId) })),
  transfer: adminProcedure
    .meta({
      summary: 'Move an amount between two applications of one tenant',
      rest: ['POST /api/payment/admin/transfer-amount'],
      stepUp: 'never',
    })
    .input(transferInput)
    .output(checked(z.strictObject({ message: z.string(), payments: z.array(adminPaymentView) })))
    .mutation(({ ctx, input }) => transferAmount(ctx.deps, ctx.actor, input)),
  refund: adminProcedure
    .meta({
      summary: 'Refund a payment through the card provider',
      rest: ['POST /api/payment/admin/refund'],
      stepUp: 'always',
    })
    .input(refundInput)
    .output(checked(adminResponse))
    .mutation(async ({ ctx, input }) => ({ payment: await refundPayment(ctx.deps, ctx.actor, input) })),
  recordReturn: adminProcedure
    .meta({ stepUp: 'always' })
    .input(recordReturnInput)
    .output(checked(adminResponse))
    .mutation(async ({ ctx, input }) => ({ payment: await recordReturn(ctx.deps, ctx.actor, input) })),
  resendReceipt: adminProcedure
    .meta({ stepUp: 'never' })
    .input(paymentIdInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => resendReceipt(ctx.deps, ctx.actor, input.paymentId)),
  quarantined: adminProcedure
    .output(checked(z.strictObject({ events: z.array(quarantinedView) })))
    .query(({ ctx }) => ({ events: listQuarantined(ctx.deps) })),
  dismissQuarantined: adminProcedure
    .meta({ stepUp: 'never' })
    .input(quarantinedInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => dismissQuarantined(ctx.deps, ctx.actor, input.eventId)),
  dismissUnexpected: adminProcedure
    .meta({ stepUp: 'never' })
    .input(paymentIdInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => dismissUnexpectedPayment(ctx.deps, ctx.actor, input.paymentId)),
})
