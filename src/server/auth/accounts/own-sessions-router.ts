import { z } from 'zod'
import { idInput, linkForm, sessionView } from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { checked, limitedByAddress, publicProcedure, router, sessionProcedure } from '../../kernel/trpc.ts'
import { endOtherSessions, endOwnSession, listOwnSessions, reportForeignLogin } from './own-sessions.ts'

export const sessionsRouter = router({
  list: sessionProcedure
    .meta({ summary: 'The caller’s own sessions', rest: ['GET /api/session'] })
    .output(checked(z.strictObject({ sessions: z.array(sessionView) })))
    .query(({ ctx }) => ({ sessions: listOwnSessions(ctx.deps, ctx.actor) })),
  end: sessionProcedure
    .meta({
      summary: 'End one of the caller’s sessions',
      rest: ['DELETE /api/session/{id}'],
      stepUp: 'sometimes',
    })
    .input(idInput)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await endOwnSession(ctx.deps, ctx.actor, input.id)
      return { message: safetyAnswers.signedOut }
    }),
  endOthers: sessionProcedure
    .meta({
      summary: 'End all own sessions but this one',
      rest: ['POST /api/session/end-others'],
      stepUp: 'always',
    })
    .output(checked(z.strictObject({ ended: z.int() })))
    .mutation(async ({ ctx }) => ({ ended: await endOtherSessions(ctx.deps, ctx.actor) })),
  notMe: publicProcedure
    .meta({
      summary: 'With the link from a new-login mail: end all sessions and ask for a new password',
      rest: ['POST /api/session/not-me'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await reportForeignLogin(ctx.deps, ctx.actor, input)
      return { message: safetyMessages.signedOutEverywhere }
    }),
})
