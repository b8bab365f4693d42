import { z } from 'zod'
import { openingLines } from '../../../domain/content/opening.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { closeSite, declineLine, openSite } from './change-opening.ts'
import { getOpening } from './queries.ts'
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
})
