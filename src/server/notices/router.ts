import { z } from 'zod'
import { adminProcedure, router } from '../trpc.ts'
import { listNotices, retryMail } from './service.ts'

export const noticesRouter = router({
  list: adminProcedure.query(({ ctx }) => ({ notices: listNotices(ctx.deps) })),
  retryMail: adminProcedure.input(z.object({ id: z.string().max(100) })).mutation(async ({ ctx, input }) => {
    await retryMail(ctx.deps, ctx.actor, input.id)
    return { message: 'The mail is queued again.' }
  }),
})
