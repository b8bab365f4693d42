import { z } from 'zod'
import {
  byHandForm,
  cancellationForm,
  cancellationNote,
  cancellationRequest,
  sideInput,
} from '../../../domain/bookings/cancellation.ts'
import { recordId, withApplication } from '../../../domain/common/record-ids.ts'
import { adminApplicationView } from '../../bookings/views.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../../kernel/trpc.ts'
import {
  byHandAndShow,
  cancelAndShow,
  changedCancellation,
  retryAndShow,
  showCancellation,
} from './queries.ts'
import { askToCancel, declineRequest, takeBackRequest } from './requests.ts'
import { cancellationView, proposalView, refundView } from './views.ts'

const ofRefund = z.object({ refundId: recordId })
const shown = z.strictObject({ cancellation: cancellationView.nullable(), proposal: proposalView })
const changed = z.strictObject({ cancellation: cancellationView })
const refund = z.strictObject({ refund: refundView })

export const cancellationRouter = router({
  get: sessionProcedure
    .meta({
      summary: 'What came of cancelling, and what would go back now',
      rest: ['GET /api/change/cancellation/{applicationId}'],
    })
    .input(withApplication)
    .output(checked(shown))
    .query(({ ctx, input }) => showCancellation(ctx.deps, ctx.actor, input.applicationId)),
  request: sessionProcedure
    .meta({
      summary: 'Ask the owner to cancel a booked stay',
      rest: ['POST /api/change/cancellation/{applicationId}/request'],
      status: 201,
      stepUp: 'never',
    })
    .input(cancellationRequest.extend(withApplication.shape))
    .output(checked(changed))
    .mutation(async ({ ctx, input: { applicationId, ...form } }) => {
      await askToCancel(ctx.deps, ctx.actor, applicationId, form)
      return changedCancellation(ctx.deps, applicationId)
    }),
  takeBack: sessionProcedure
    .meta({
      summary: 'Take the request to cancel back',
      rest: ['POST /api/change/cancellation/{applicationId}/take-back'],
      stepUp: 'never',
    })
    .input(withApplication)
    .output(checked(changed))
    .mutation(async ({ ctx, input: { applicationId } }) => {
      await takeBackRequest(ctx.deps, ctx.actor, applicationId)
      return changedCancellation(ctx.deps, applicationId)
    }),

  adminGet: adminProcedure
    .meta({
      summary: 'What came of cancelling, and what would go back if this side cancels now',
      rest: ['GET /api/change/admin/cancellation/{applicationId}'],
    })
    .input(withApplication.extend({ side: sideInput.optional() }))
    .output(checked(shown))
    .query(({ ctx, input }) => showCancellation(ctx.deps, ctx.actor, input.applicationId, input.side)),
  cancel: adminProcedure
    .meta({
      summary: 'Cancel a booked stay and give back what is not kept',
      rest: ['POST /api/change/admin/cancellation/{applicationId}'],
      stepUp: 'sometimes',
    })
    .input(cancellationForm.extend(withApplication.shape))
    .output(
      checked(changed.extend({ application: adminApplicationView, codeShown: z.literal(true).optional() })),
    )
    .mutation(({ ctx, input: { applicationId, ...form } }) =>
      cancelAndShow(ctx.deps, ctx.actor, applicationId, form),
    ),
  decline: adminProcedure
    .meta({
      summary: 'Keep the booking although the tenant asked to cancel',
      rest: ['POST /api/change/admin/cancellation/{applicationId}/decline'],
      stepUp: 'never',
    })
    .input(cancellationNote.extend(withApplication.shape))
    .output(checked(changed))
    .mutation(async ({ ctx, input: { applicationId, note } }) => {
      await declineRequest(ctx.deps, ctx.actor, applicationId, note)
      return changedCancellation(ctx.deps, applicationId)
    }),
  retryRefund: adminProcedure
    .meta({
      summary: 'Ask the card provider again for a refund that failed or is on its way',
      rest: ['POST /api/change/admin/refund/{refundId}/retry'],
      stepUp: 'always',
    })
    .input(ofRefund)
    .output(checked(refund))
    .mutation(({ ctx, input }) => retryAndShow(ctx.deps, ctx.actor, input.refundId)),
  refundByHand: adminProcedure
    .meta({
      summary: 'Record that a refund was given back by hand',
      rest: ['POST /api/change/admin/refund/{refundId}/by-hand'],
      stepUp: 'always',
    })
    .input(byHandForm.extend(ofRefund.shape))
    .output(checked(refund))
    .mutation(({ ctx, input: { refundId, ...form } }) => byHandAndShow(ctx.deps, ctx.actor, refundId, form)),
})
