import { z } from 'zod'
import { publicBookingRules } from '../../domain/bookings/booking-rules-form.ts'
import { checked, publicProcedure, router, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import { readBookingRules } from './booking-rules.ts'

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
})
