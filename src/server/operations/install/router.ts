import { z } from 'zod'
import { userView } from '../../../domain/accounts/account.ts'
import { condoForm, firstAdminForm, installSteps, installToken } from '../../../domain/content/install.ts'
import { adminProcedure, checked, limitedByAddress, publicProcedure, router } from '../../kernel/trpc.ts'
import { createFirstAdmin, requireInstallLink } from './first-admin.ts'
import { getInstall, leaveStep, saveCondo } from './steps.ts'
import { installView } from './views.ts'

export const installRouter = router({
  open: publicProcedure
    .meta({
      summary: 'Whether a link makes the first administrator of a site that is being set up',
      rest: ['POST /api/install/open'],
    })
    .use(limitedByAddress('installByAddress'))
    .input(installToken)
    .output(checked(z.strictObject({ step: z.literal('account') })))
    .mutation(({ ctx, input }) => {
      requireInstallLink(ctx.deps, input)
      return { step: 'account' as const }
    }),
  account: publicProcedure
    .meta({
      summary: 'Create the first administrator with such a link, once',
      rest: ['POST /api/install/account'],
      status: 201,
    })
    .use(limitedByAddress('installByAddress'))
    .input(installToken.and(firstAdminForm))
    .output(checked(z.strictObject({ token: z.string(), user: userView })))
    .mutation(({ ctx, input }) => createFirstAdmin(ctx.deps, ctx.actor, input)),
  get: adminProcedure
    .meta({ summary: 'The steps of an installation in the browser', rest: ['GET /api/install'] })
    .output(checked(installView))
    .query(({ ctx }) => getInstall(ctx.deps)),
  saveCondo: adminProcedure
    .meta({
      summary: 'Answer the step about the condo, which publishes it',
      rest: ['PUT /api/install/condo'],
      stepUp: 'sometimes',
    })
    .input(condoForm)
    .output(checked(installView))
    .mutation(({ ctx, input }) => saveCondo(ctx.deps, ctx.actor, input)),
  leave: adminProcedure
    .meta({
      summary: 'Go on from a step; leaving the last one ends the installation',
      rest: ['PUT /api/install/left/{key}'],
      stepUp: 'never',
    })
    .input(z.object({ key: z.enum(installSteps) }))
    .output(checked(installView))
    .mutation(({ ctx, input }) => leaveStep(ctx.deps, ctx.actor, input)),
})
