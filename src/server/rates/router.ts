import { z } from 'zod'
import { rateForm } from '../../domain/rate.ts'
import { adminProcedure, publicProcedure, router } from '../trpc.ts'
import { createRate, listActiveRates, listAllRates, removeRate, updateRate } from './service.ts'

const withId = z.object({ id: z.string() })

export const ratesRouter = router({
  list: publicProcedure.query(({ ctx }) => ({ rates: listActiveRates(ctx.deps.db) })),
  listAll: adminProcedure.query(({ ctx }) => ({ rates: listAllRates(ctx.deps.db) })),
  create: adminProcedure
    .input(rateForm)
    .mutation(async ({ ctx, input }) => ({ rate: await createRate(ctx.deps, ctx.actor, input) })),
  update: adminProcedure.input(withId.and(rateForm)).mutation(async ({ ctx, input: { id, ...rate } }) => ({
    rate: await updateRate(ctx.deps, ctx.actor, id, rate),
  })),
  remove: adminProcedure.input(withId).mutation(async ({ ctx, input }) => {
    await removeRate(ctx.deps, ctx.actor, input.id)
    return { message: 'Rate deleted successfully' }
  }),
})
