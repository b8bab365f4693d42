import { z } from 'zod'
import {
  acceptanceInput,
  bookingEntry,
  bookingEntryFor,
  invitationForm,
  invitationInput,
  invitationView,
} from '../../../domain/bookings/booking-entry.ts'
import { bookingImport, importResponse } from '../../../domain/bookings/booking-import.ts'
import { withApplication } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  validateWithGuestLimit,
} from '../../kernel/trpc.ts'
import { enterBooking } from './enter-booking.ts'
import { importBookings } from './import-bookings.ts'
import { acceptInvitation, readInvitation } from './invitation.ts'
import { inviteGuest } from './invite.ts'
import { acceptedResponse, entryResponse } from './views.ts'

const withRequest = z.object({ requestId: z.uuid().optional() })

export const manualBookingsRouter = router({
  create: adminProcedure
    .meta({
      summary: 'Enter a booking that was made elsewhere, with its lease or charges, payments and invitation',
      rest: ['POST /api/booking/admin'],
      status: 201,
      stepUp: 'always',
    })
    .use(validateWithGuestLimit(limit => bookingEntryFor(limit).and(withRequest)))
    .input(bookingEntry.and(withRequest))
    .output(checked(entryResponse))
    .mutation(({ ctx, input }) => enterBooking(ctx.deps, ctx.actor, input)),
  import: adminProcedure
    .meta({
      summary: 'Import the bookings of a CSV file, all or none; a dry run writes nothing',
      rest: ['POST /api/booking/admin/import'],
      stepUp: 'sometimes',
    })
    .input(bookingImport)
    .output(checked(importResponse))
    .mutation(({ ctx, input }) => importBookings(ctx.deps, ctx.actor, input)),
  invite: adminProcedure
    .meta({
      summary: 'Send an invitation again; `email` corrects the address',
      rest: ['POST /api/booking/admin/{applicationId}/invite'],
      stepUp: 'sometimes',
    })
    .input(invitationForm.extend(withApplication.shape))
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => inviteGuest(ctx.deps, ctx.actor, input.applicationId, input.email)),

  // Mutations, so that no token gets into a URL.
  invitation: publicProcedure
    .meta({ summary: 'What an invitation is for; changes nothing', rest: ['POST /api/booking/invitation'] })
    .use(limitedByAddress('invitationByAddress'))
    .input(invitationInput)
    .output(checked(z.strictObject({ invitation: invitationView })))
    .mutation(({ ctx, input }) => ({ invitation: readInvitation(ctx.deps, ctx.actor, input.token) })),
  acceptInvitation: publicProcedure
    .meta({
      summary: 'Set the password of an invited guest and log them in',
      rest: ['POST /api/booking/invitation/accept'],
    })
    .use(limitedByAddress('invitationByAddress'))
    .input(acceptanceInput)
    .output(checked(acceptedResponse))
    .mutation(({ ctx, input }) => acceptInvitation(ctx.deps, ctx.actor, input)),
})
