import { z } from 'zod'
import { withId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { rateForm, rateView } from '../../domain/money/rate.ts'
import { adminProcedure, checked, publicProcedure, router, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import {
  createRate,
  listActiveRates,
  listAllRates,
  ownRate,
  removeRate,
  savedRate,
  updateRate,
} from './rates.ts'

const rateResponse = z.strictObject({ rate: ownRate })
const ratesResponse = z.strictObject({ rates: z.array(rateView) })

export const ratesRouter = router({
  list: publicProcedure
    .use(whenOpenOrSignedIn)
    .meta({ summary: 'Active rate periods by start date', rest: ['GET /api/rates'], cache: 'public' })
    .output(checked(ratesResponse))
    .query(({ ctx }) => ({ rates: listActiveRates(ctx.deps.db) })),
  listAll: adminProcedure
    .meta({ summary: 'All rate periods', rest: ['GET /api/rates/admin/all'] })
    .output(checked(z.strictObject({ rates: z.array(ownRate) })))
    .query(({ ctx }) => ({ rates: listAllRates(ctx.deps.db) })),
  create: adminProcedure
    .meta({ summary: 'Add a rate period', rest: ['POST /api/rates/admin'], status: 201, stepUp: 'always' })
    .input(rateForm)
    .output(checked(rateResponse))
    .mutation(async ({ ctx, input }) => ({ rate: await createRate(ctx.deps, ctx.actor, input) })),
  update: adminProcedure
    .meta({ summary: 'Replace a rate period', rest: ['PUT /api/rates/admin/{id}'], stepUp: 'sometimes' })
    .input(savedRate.and(rateForm))
    .output(checked(rateResponse))
    .mutation(async ({ ctx, input: { id, updatedAt, ...rate } }) => ({
      rate: await updateRate(ctx.deps, ctx.actor, id, rate, updatedAt),
    })),
  remove: adminProcedure
    .meta({ summary: 'Delete a rate period', rest: ['DELETE /api/rates/admin/{id}'], stepUp: 'never' })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await removeRate(ctx.deps, ctx.actor, input.id)
      return { message: 'Rate deleted successfully' }
    }),
})
