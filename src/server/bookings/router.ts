import { z } from 'zod'
import { publicBookingRules } from '../../domain/bookings/booking-rules-form.ts'
import { adminProcedure, checked, publicProcedure, router, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import { readBookingRules } from './booking-rules.ts'
import { listNights, nightsInput, nightView } from './nights-query.ts'

export const bookingsRouter = router({
  rules: publicProcedure
    .use(whenOpenOrSignedIn)
    .meta({
      summary: 'The booking rules; null and false mean no rule',
      rest: ['GET /api/booking/rules'],
      cache: 'public',
    })
    .output(checked(z.strictObject({ rules: publicBookingRules })))
    .query(({ ctx }) => ({ rules: readBookingRules(ctx.deps.db) })),
  nights: adminProcedure
    .meta({ summary: 'Who may book each night', rest: ['GET /api/booking/admin/nights'] })
    .input(nightsInput)
    .output(checked(z.strictObject({ nights: z.array(nightView) })))
    .query(({ ctx, input }) => ({ nights: listNights(ctx.deps, ctx.actor, input) })),
})
