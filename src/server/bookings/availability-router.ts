import { z } from 'zod'
import {
  adminAvailabilityEntry,
  availabilityEntry,
  availabilityRange,
  bookedStay,
  dateChange,
  datesChange,
  promisedStay,
} from '../../domain/bookings/availability.ts'
import { adminProcedure, checked, publicProcedure, router, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import {
  listAvailability,
  listAvailabilityForAdmin,
  listBookedStays,
  listPromises,
  setDate,
  setDates,
} from './availability.ts'

export const availabilityRouter = router({
  range: publicProcedure
    .use(whenOpenOrSignedIn)
    .meta({
      summary: 'Days with a record or a booking; all others are available',
      rest: ['GET /api/availability'],
      cache: 'public',
    })
    .input(availabilityRange)
    .output(checked(z.strictObject({ availability: z.array(availabilityEntry) })))
    .query(({ ctx, input }) => ({ availability: listAvailability(ctx.deps, input) })),
  adminRange: adminProcedure
    .meta({
      summary: 'The same with whose booking it is, and the booked stays in full',
      rest: ['GET /api/availability/admin/all'],
    })
    .input(availabilityRange)
    .output(
      checked(
        z.strictObject({
          availability: z.array(adminAvailabilityEntry),
          bookings: z.array(bookedStay),
          promises: z.array(promisedStay),
        }),
      ),
    )
    .query(({ ctx, input }) => ({
      availability: listAvailabilityForAdmin(ctx.deps, input),
      bookings: listBookedStays(ctx.deps.db, input),
      promises: listPromises(ctx.deps, input),
    })),
  setDate: adminProcedure
    .meta({
      summary: 'Block or free one day',
      rest: ['PUT /api/availability/admin/{date}'],
      stepUp: 'sometimes',
    })
    .input(dateChange)
    .output(checked(z.strictObject({ availability: availabilityEntry })))
    .mutation(async ({ ctx, input }) => ({ availability: await setDate(ctx.deps, ctx.actor, input) })),
  setDates: adminProcedure
    .meta({
      summary: 'Block or free several days; all succeed or none',
      rest: ['PUT /api/availability/admin/bulk'],
      stepUp: 'sometimes',
    })
    .input(datesChange)
    .output(checked(z.strictObject({ updated: z.int() })))
    .mutation(async ({ ctx, input }) => ({ updated: await setDates(ctx.deps, ctx.actor, input) })),
})
