import {
  adminHistoryInput,
  availableDepositsInput,
  bySessionInput,
  checkoutInput,
  giveBackInput,
  historyInput,
  manualPaymentInput,
  paymentIdInput,
  refundInput,
  revenueInput,
  setAsideInput,
  transferInput,
} from '../../domain/payment.ts'
import { adminProcedure, limitedByAddress, router, sessionProcedure } from '../trpc.ts'
import { createCheckoutSession } from './checkout.ts'
import { addManualPayment, giveBack, removePayment } from './manual.ts'
import { dismissSetAside, listSetAside } from './provider-events.ts'
import { resendReceipt } from './receipts.ts'
import { refundPayment } from './refunds.ts'
import { revenueSummary } from './revenue.ts'
import { paymentBySession, paymentHistory, paymentHistoryOf, paymentOptions } from './service.ts'
import { availableDeposits, transferAmount } from './transfers.ts'

export const paymentsRouter = router({
  options: sessionProcedure.query(({ ctx }) => paymentOptions(ctx.deps, ctx.actor)),
  history: sessionProcedure
    .input(historyInput.optional())
    .query(({ ctx, input }) => ({ payments: paymentHistory(ctx.deps, ctx.actor, input ?? {}) })),
  createCheckoutSession: sessionProcedure
    .use(limitedByAddress('checkoutByAddress'))
    .input(checkoutInput)
    .mutation(({ ctx, input }) => createCheckoutSession(ctx.deps, ctx.actor, input)),
  bySession: sessionProcedure
    .input(bySessionInput)
    .query(({ ctx, input }) => paymentBySession(ctx.deps, ctx.actor, input.sessionId)),

  adminHistory: adminProcedure
    .input(adminHistoryInput)
    .query(({ ctx, input }) => ({ payments: paymentHistoryOf(ctx.deps, input) })),
  revenueSummary: adminProcedure
    .input(revenueInput.optional())
    .query(({ ctx, input }) => revenueSummary(ctx.deps, input ?? {})),
  addManual: adminProcedure
    .input(manualPaymentInput)
    .mutation(async ({ ctx, input }) => ({ payment: await addManualPayment(ctx.deps, ctx.actor, input) })),
  remove: adminProcedure
    .input(paymentIdInput)
    .mutation(({ ctx, input }) => removePayment(ctx.deps, ctx.actor, input.paymentId)),
  availableDeposits: adminProcedure
    .input(availableDepositsInput)
    .query(({ ctx, input }) => ({ applications: availableDeposits(ctx.deps, input.userId) })),
  transfer: adminProcedure
    .input(transferInput)
    .mutation(({ ctx, input }) => transferAmount(ctx.deps, ctx.actor, input)),
  refund: adminProcedure
    .input(refundInput)
    .mutation(async ({ ctx, input }) => ({ payment: await refundPayment(ctx.deps, ctx.actor, input) })),
  giveBack: adminProcedure
    .input(giveBackInput)
    .mutation(async ({ ctx, input }) => ({ payment: await giveBack(ctx.deps, ctx.actor, input) })),
  resendReceipt: adminProcedure
    .input(paymentIdInput)
    .mutation(({ ctx, input }) => resendReceipt(ctx.deps, ctx.actor, input.paymentId)),
  setAside: adminProcedure.query(({ ctx }) => ({ events: listSetAside(ctx.deps) })),
  dismissSetAside: adminProcedure
    .input(setAsideInput)
    .mutation(({ ctx, input }) => dismissSetAside(ctx.deps, ctx.actor, input.eventId)),
})
