import { z } from 'zod'
import { byId, linkForm, sessionView } from '../../domain/account-safety-form.ts'
import { messageAnswer } from '../../domain/wire.ts'
import { checked, limitedByAddress, publicProcedure, router, sessionProcedure } from '../kernel/trpc.ts'

const notBuiltYet = (): never => {
  throw new Error('not built yet')
}

export const sessionsRouter = router({
  list: sessionProcedure
    .meta({ summary: 'The caller’s own sessions', rest: ['GET /api/session'] })
    .output(checked(z.strictObject({ sessions: z.array(sessionView) })))
    .query(notBuiltYet),
  end: sessionProcedure
    .meta({ summary: 'End an own session', rest: ['DELETE /api/session/{id}'] })
    .input(byId)
    .output(checked(messageAnswer))
    .mutation(notBuiltYet),
  endOthers: sessionProcedure
    .meta({ summary: 'End all own sessions but this one', rest: ['POST /api/session/end-others'] })
    .output(checked(z.strictObject({ ended: z.int() })))
    .mutation(notBuiltYet),
  notMe: publicProcedure
    .meta({
      summary: 'By the link of a login’s mail: end all sessions and ask for a new password',
      rest: ['POST /api/session/not-me'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(messageAnswer))
    .mutation(notBuiltYet),
})
