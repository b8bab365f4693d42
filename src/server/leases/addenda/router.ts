import { z } from 'zod'
import { recordId, withApplication } from '../../../domain/common/record-ids.ts'
import { addendumForm, addendumReason, newAddendumForm } from '../../../domain/leases/addendum.ts'
import { signAddendumInput } from '../../../domain/leases/lease-signing-form.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../../kernel/trpc.ts'
import { declineAddendum, withdrawAddendum } from './close.ts'
import { previewAddendum } from './draft.ts'
import { makeAddendum } from './make.ts'
import { listAddenda, readAddendum } from './queries.ts'
import { signAddendum } from './sign.ts'
import { addendumDocument, addendumPreview, addendumView, signedAddendum } from './views.ts'

const withAddendum = z.object({ addendumId: recordId })
const oneAddendum = checked(z.strictObject({ addendum: addendumView }))

export const addendaRouter = router({
  list: sessionProcedure
    .meta({ summary: 'The addenda to a lease, by number', rest: ['GET /api/change/addenda/{applicationId}'] })
    .input(withApplication)
    .output(checked(z.strictObject({ addenda: z.array(addendumView) })))
    .query(({ ctx, input }) => ({ addenda: listAddenda(ctx.deps, ctx.actor, input.applicationId) })),
  get: sessionProcedure
    .meta({
      summary: 'An addendum with its text and the notice that is read before signing',
      rest: ['GET /api/change/addendum/{addendumId}'],
    })
    .input(withAddendum)
    .output(checked(addendumDocument))
    .query(({ ctx, input }) => readAddendum(ctx.deps, ctx.actor, input.addendumId)),
  sign: sessionProcedure
    .meta({
      ownLimit: true,
      summary: 'Sign an addendum, like the lease',
      rest: ['POST /api/change/addendum/{addendumId}/sign'],
      stepUp: 'never',
    })
    .input(signAddendumInput)
    .output(checked(signedAddendum))
    .mutation(({ ctx, input }) => signAddendum(ctx.deps, ctx.actor, input)),
  decline: sessionProcedure
    .meta({
      summary: 'The tenant declines an addendum',
      rest: ['POST /api/change/addendum/{addendumId}/decline'],
      stepUp: 'never',
    })
    .input(withAddendum.extend({ reason: addendumReason }))
    .output(oneAddendum)
    .mutation(async ({ ctx, input }) => ({
      addendum: await declineAddendum(ctx.deps, ctx.actor, input.addendumId, input.reason),
    })),
  preview: adminProcedure
    .meta({
      summary: 'What an addendum with these changes would say; writes nothing',
      rest: ['POST /api/change/admin/addendum/{applicationId}/preview'],
    })
    .input(addendumForm.extend(withApplication.shape))
    .output(checked(addendumPreview))
    .query(({ ctx, input: { applicationId, ...input } }) =>
      previewAddendum(ctx.deps, ctx.actor, applicationId, input),
    ),
  make: adminProcedure
    .meta({
      summary: 'Make an addendum for the tenant to sign, and hold the nights that it adds',
      rest: ['POST /api/change/admin/addendum/{applicationId}'],
      status: 201,
      stepUp: 'never',
    })
    .input(newAddendumForm.extend(withApplication.shape))
    .output(oneAddendum)
    .mutation(async ({ ctx, input: { applicationId, ...input } }) => ({
      addendum: await makeAddendum(ctx.deps, ctx.actor, applicationId, input),
    })),
  withdraw: adminProcedure
    .meta({
      summary: 'Take an unsigned addendum back',
      rest: ['POST /api/change/admin/addendum/{addendumId}/withdraw'],
      stepUp: 'never',
    })
    .input(withAddendum)
    .output(oneAddendum)
    .mutation(async ({ ctx, input }) => ({
      addendum: await withdrawAddendum(ctx.deps, ctx.actor, input.addendumId),
    })),
})
