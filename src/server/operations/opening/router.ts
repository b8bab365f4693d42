import { z } from 'zod'
import { forgotForm } from '../../../domain/accounts/account.ts'
import { openingLines } from '../../../domain/content/opening.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { closeSite, declineLine, openSite } from './change-opening.ts'
import { getOpening } from './queries.ts'
import { removeTrial, startTrial } from './trial.ts'
import { openingView } from './views.ts'

export const openingRouter = router({
  get: adminProcedure
    .meta({ summary: 'What is left to do before the site can be opened', rest: ['GET /api/opening/admin'] })
    .output(checked(openingView))
    .query(({ ctx }) => getOpening(ctx.deps)),
  open: adminProcedure
    .meta({
      summary: 'Publish the draft and show the site to visitors; refused while something required is missing',
      rest: ['POST /api/opening/admin/open'],
      stepUp: 'sometimes',
    })
    .output(checked(openingView))
    .mutation(({ ctx }) => openSite(ctx.deps, ctx.actor)),
  close: adminProcedure
    .meta({
      summary: 'Hide the public pages from visitors',
      rest: ['POST /api/opening/admin/close'],
      stepUp: 'sometimes',
    })
    .output(checked(openingView))
    .mutation(({ ctx }) => closeSite(ctx.deps, ctx.actor)),
  decline: adminProcedure
    .meta({
      summary: 'Decline a line that is not required, or take that back',
      rest: ['PUT /api/opening/admin/{key}'],
      stepUp: 'never',
    })
    .input(z.object({ key: z.enum(openingLines), declined: z.boolean() }))
    .output(checked(openingView))
    .mutation(({ ctx, input }) => declineLine(ctx.deps, ctx.actor, input)),
  startTrial: adminProcedure
    .meta({
      summary: 'Make an account to try the site as a guest before it is opened, and mail its link',
      rest: ['POST /api/opening/admin/trial'],
      stepUp: 'always',
    })
    .input(forgotForm)
    .output(checked(openingView))
    .mutation(async ({ ctx, input }) => {
      await startTrial(ctx.deps, ctx.actor, input)
      return getOpening(ctx.deps)
    }),
  removeTrial: adminProcedure
    .meta({
      summary: 'Delete the applications of the trial and close its account',
      rest: ['DELETE /api/opening/admin/trial'],
      stepUp: 'never',
    })
    .output(checked(openingView))
    .mutation(async ({ ctx }) => {
      await removeTrial(ctx.deps, ctx.actor)
      return getOpening(ctx.deps)
    }),
})
