import { generateLeaseInput, leaseApplicationIdInput, leaseIdInput } from '../../domain/lease.ts'
import { signLeaseInput } from '../../domain/lease-signing.ts'
import { adminProcedure, router, sessionProcedure } from '../trpc.ts'
import { generateOrLoad, leaseStatus, leaseTerms, leaseTrail, previewLease } from './service.ts'
import { signLease } from './sign.ts'
import { deleteLease, removeSignedLease } from './signed-file.ts'

export const leasesRouter = router({
  status: sessionProcedure.query(({ ctx }) => leaseStatus(ctx.deps, ctx.actor)),
  preview: sessionProcedure
    .input(leaseIdInput)
    .query(({ ctx, input }) => previewLease(ctx.deps, ctx.actor, input.id)),
  // For a tenant this only reads.
  generate: sessionProcedure
    .meta({ access: 'session', ownLimit: true })
    .input(generateLeaseInput)
    .mutation(({ ctx, input }) => generateOrLoad(ctx.deps, ctx.actor, input)),
  sign: sessionProcedure
    .meta({ access: 'session', ownLimit: true })
    .input(signLeaseInput)
    .mutation(({ ctx, input }) => signLease(ctx.deps, ctx.actor, input)),
  removeSigned: sessionProcedure.input(leaseApplicationIdInput).mutation(async ({ ctx, input }) => {
    await removeSignedLease(ctx.deps, ctx.actor, input.applicationId)
    return { message: 'Signed lease removed successfully' }
  }),
  adminRemove: adminProcedure.input(leaseIdInput).mutation(async ({ ctx, input }) => {
    await deleteLease(ctx.deps, ctx.actor, input.id)
    return { message: 'Lease deleted successfully!' }
  }),
  terms: adminProcedure
    .input(leaseIdInput)
    .query(({ ctx, input }) => leaseTerms(ctx.deps, ctx.actor, input.id)),
  trail: adminProcedure.input(leaseIdInput).query(({ ctx, input }) => ({
    events: leaseTrail(ctx.deps, ctx.actor, input.id),
  })),
})
