import { z } from 'zod'
import { withApplication, withId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { generateLeaseInput, leaseTermsInput } from '../../domain/leases/lease-generation.ts'
import { signLeaseInput } from '../../domain/leases/lease-signing-form.ts'
import { planChange } from '../../domain/money/payment-plan-form.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../kernel/trpc.ts'
import { changePlan } from './change-plan.ts'
import {
  generateOrLoad,
  leaseStatus,
  leaseTerms,
  leaseTrail,
  previewCharges,
  previewLease,
} from './queries.ts'
import { deleteLease, removeSignedLease } from './remove.ts'
import { signLease } from './sign.ts'
import {
  chargePreview,
  leaseEventView,
  leaseStatusView,
  leaseTermsView,
  planView,
  signedResponse,
} from './views.ts'

export const leasesRouter = router({
  status: sessionProcedure
    .meta({ summary: 'The state of the caller’s lease', rest: ['GET /api/lease/status'] })
    .output(checked(leaseStatusView))
    .query(({ ctx }) => leaseStatus(ctx.deps, ctx.actor)),
  preview: sessionProcedure
    .meta({ summary: 'The lease’s text and its hash', rest: ['GET /api/lease/preview/{id}'] })
    .input(withId)
    .output(checked(z.strictObject({ leaseText: z.string(), leaseTextSha256: z.string() })))
    .query(({ ctx, input }) => previewLease(ctx.deps, ctx.actor, input.id)),
  // For a tenant this only reads.
  generate: sessionProcedure
    .meta({
      ownLimit: true,
      summary: 'The admin writes the lease; a tenant gets the stored one',
      rest: ['POST /api/lease/generate/{applicationId}'],
      stepUp: 'sometimes',
    })
    .input(generateLeaseInput)
    .output(checked(z.strictObject({ leaseAgreement: z.string(), leaseTextSha256: z.string() })))
    .mutation(({ ctx, input }) => generateOrLoad(ctx.deps, ctx.actor, input)),
  previewCharges: adminProcedure
    .meta({ summary: 'What a lease with these terms would charge', rest: ['POST /api/charge/admin/preview'] })
    .input(generateLeaseInput)
    .output(checked(chargePreview))
    .query(({ ctx, input }) => previewCharges(ctx.deps, ctx.actor, input)),
  changePlan: adminProcedure
    .meta({
      summary: 'Change the payment plan of a lease that is not signed',
      rest: ['PUT /api/plan/admin/{applicationId}'],
      stepUp: 'never',
    })
    .input(planChange.and(withApplication))
    .output(checked(planView))
    .mutation(({ ctx, input: { applicationId, ...change } }) =>
      changePlan(ctx.deps, ctx.actor, applicationId, change),
    ),
  sign: sessionProcedure
    .meta({
      ownLimit: true,
      summary: 'Sign the lease, with names typed or signatures drawn as PNG in base64',
      rest: ['POST /api/lease/sign/{id}'],
      stepUp: 'never',
    })
    .input(signLeaseInput)
    .output(checked(signedResponse))
    .mutation(({ ctx, input }) => signLease(ctx.deps, ctx.actor, input)),
  removeSigned: sessionProcedure
    .meta({
      summary: 'Take back a signed lease',
      rest: ['DELETE /api/lease/remove-signed/{applicationId}'],
      stepUp: 'sometimes',
    })
    .input(withApplication)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await removeSignedLease(ctx.deps, ctx.actor, input.applicationId)
      return { message: 'Signed lease removed successfully' }
    }),
  adminRemove: adminProcedure
    .meta({
      summary: 'Delete lease, signature and signed file',
      rest: ['DELETE /api/application/admin/remove-lease/{id}'],
      stepUp: 'sometimes',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await deleteLease(ctx.deps, ctx.actor, input.id)
      return { message: 'Lease deleted successfully!' }
    }),
  terms: adminProcedure
    .input(leaseTermsInput)
    .output(checked(leaseTermsView))
    .query(({ ctx, input: { id, ...dates } }) => leaseTerms(ctx.deps, ctx.actor, id, dates)),
  trail: adminProcedure
    .input(withId)
    .output(checked(z.strictObject({ events: z.array(leaseEventView) })))
    .query(({ ctx, input }) => ({ events: leaseTrail(ctx.deps, ctx.actor, input.id) })),
})
