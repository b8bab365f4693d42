import { availabilityRange, dateChange, datesChange } from '../../domain/availability.ts'
import { adminProcedure, publicProcedure, router } from '../trpc.ts'
import { listAvailability, listAvailabilityForAdmin, listBookedStays, setDate, setDates } from './service.ts'

export const availabilityRouter = router({
  range: publicProcedure
    .input(availabilityRange)
    .query(({ ctx, input }) => ({ availability: listAvailability(ctx.deps.db, input) })),
  adminRange: adminProcedure.input(availabilityRange).query(({ ctx, input }) => ({
    availability: listAvailabilityForAdmin(ctx.deps.db, input),
    bookings: listBookedStays(ctx.deps.db, input),
  })),
  setDate: adminProcedure
    .input(dateChange)
    .mutation(async ({ ctx, input }) => ({ availability: await setDate(ctx.deps, ctx.actor, input) })),
  setDates: adminProcedure
    .input(datesChange)
    .mutation(async ({ ctx, input }) => ({ updated: await setDates(ctx.deps, ctx.actor, input) })),
})
