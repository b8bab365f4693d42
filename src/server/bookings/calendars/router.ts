import { z } from 'zod'
import {
  conflictChange,
  exportChange,
  exportForm,
  feedChange,
  feedForm,
  releaseChange,
  rotation,
} from '../../../domain/calendars/calendar-feed.ts'
import { recordId, withId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { addFeed } from './add-feed.ts'
import { confirmEmptyFeed } from './confirm-empty.ts'
import { acknowledgeConflict } from './conflicts.ts'
import { editFeed } from './edit-feed.ts'
import { createExport, editExport, removeExport, rotateExport, showExport } from './exports.ts'
import { listEvents, readOverview } from './queries.ts'
import { readNow } from './reading.ts'
import { releaseEvent } from './release-event.ts'
import { removeFeed } from './remove-feed.ts'
import {
  conflictView,
  editFeedResponse,
  eventsResponse,
  eventView,
  exportView,
  feedView,
  overviewResponse,
  readFeedResponse,
} from './views.ts'

const exportResponse = z.strictObject({ export: exportView })

export const calendarsRouter = router({
  overview: adminProcedure
    .meta({
      summary: 'Feeds, exports, double bookings and the notices about them',
      rest: ['GET /api/calendar/admin'],
    })
    .output(checked(overviewResponse))
    .query(({ ctx }) => readOverview(ctx.deps)),

  addFeed: adminProcedure
    .meta({
      summary: 'Add a calendar and read it at once; stores nothing if the address or content is invalid',
      rest: ['POST /api/calendar/admin/feeds'],
      status: 201,
      stepUp: 'always',
    })
    .input(feedForm)
    .output(checked(readFeedResponse))
    .mutation(({ ctx, input }) => addFeed(ctx.deps, ctx.actor, input)),
  editFeed: adminProcedure
    .meta({
      summary: 'Rename, pause or resume a calendar; a new address or mode is read at once',
      rest: ['PUT /api/calendar/admin/feeds/{id}'],
      stepUp: 'sometimes',
    })
    .input(feedChange.and(withId))
    .output(checked(editFeedResponse))
    .mutation(({ ctx, input: { id, ...change } }) => editFeed(ctx.deps, ctx.actor, id, change)),
  removeFeed: adminProcedure
    .meta({
      summary: 'Stop reading a calendar; its events end at once',
      rest: ['DELETE /api/calendar/admin/feeds/{id}'],
      stepUp: 'always',
    })
    .input(withId)
    .output(checked(messageResponse.extend({ freedNights: z.int() })))
    .mutation(({ ctx, input }) => removeFeed(ctx.deps, ctx.actor, input.id)),
  readNow: adminProcedure
    .meta({
      summary: 'Read a calendar now; 200 with the result, failed or not',
      rest: ['POST /api/calendar/admin/feeds/{id}/fetch'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(readFeedResponse))
    .mutation(({ ctx, input }) => readNow(ctx.deps, ctx.actor, input.id)),
  acceptEmpty: adminProcedure
    .meta({
      summary: 'Confirm that an empty calendar is right: its events end at once',
      rest: ['POST /api/calendar/admin/feeds/{id}/accept-empty'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(z.strictObject({ feed: feedView, ended: z.int() })))
    .mutation(({ ctx, input }) => confirmEmptyFeed(ctx.deps, ctx.actor, input.id)),

  events: adminProcedure
    .meta({
      summary: 'Imported events by their nights, at most 500; with all also those that ended or are over',
      rest: ['GET /api/calendar/admin/events'],
    })
    .input(z.object({ feedId: recordId.optional(), all: z.boolean().default(false) }).prefault({}))
    .output(checked(eventsResponse))
    .query(({ ctx, input }) => listEvents(ctx.deps, input)),
  releaseEvent: adminProcedure
    .meta({
      summary: 'Free the nights of an imported event, or take them back',
      rest: ['PUT /api/calendar/admin/events/{id}'],
      stepUp: 'never',
    })
    .input(releaseChange.and(withId))
    .output(checked(z.strictObject({ event: eventView })))
    .mutation(async ({ ctx, input }) => ({
      event: await releaseEvent(ctx.deps, ctx.actor, input.id, input.released),
    })),
  acknowledgeConflict: adminProcedure
    .meta({
      summary: 'Acknowledge a double booking, or reopen it',
      rest: ['PUT /api/calendar/admin/conflicts/{id}'],
      stepUp: 'never',
    })
    .input(conflictChange.and(withId))
    .output(checked(z.strictObject({ conflict: conflictView })))
    .mutation(async ({ ctx, input }) => ({
      conflict: await acknowledgeConflict(ctx.deps, ctx.actor, input.id, input.acknowledged),
    })),

  createExport: adminProcedure
    .meta({
      summary: 'Create an export for a platform, the cleaner or the owner',
      rest: ['POST /api/calendar/admin/exports'],
      status: 201,
      stepUp: 'always',
    })
    .input(exportForm)
    .output(checked(exportResponse.extend({ url: z.string() })))
    .mutation(({ ctx, input }) => createExport(ctx.deps, ctx.actor, input)),
  showExport: adminProcedure
    .meta({
      summary: 'The secret address of an export; empty if the key that encrypted it is lost',
      rest: ['POST /api/calendar/admin/exports/{id}/address'],
      stepUp: 'always',
    })
    .input(withId)
    .output(checked(z.strictObject({ url: z.string() })))
    .mutation(({ ctx, input }) => showExport(ctx.deps, ctx.actor, input.id)),
  editExport: adminProcedure
    .meta({
      summary: 'Rename an export, or set the feed in which its nights come back',
      rest: ['PUT /api/calendar/admin/exports/{id}'],
      stepUp: 'never',
    })
    .input(exportChange.and(withId))
    .output(checked(exportResponse))
    .mutation(async ({ ctx, input: { id, ...change } }) => ({
      export: await editExport(ctx.deps, ctx.actor, id, change),
    })),
  rotateExport: adminProcedure
    .meta({
      summary: 'Give it a new address; the old one ends at once, or after 7 days',
      rest: ['POST /api/calendar/admin/exports/{id}/rotate'],
      // It ends a leaked address, and does not show the new one.
      stepUp: 'never',
    })
    .input(rotation.and(withId))
    .output(checked(exportResponse))
    .mutation(async ({ ctx, input }) => ({
      export: await rotateExport(ctx.deps, ctx.actor, input.id, input.keepOld),
    })),
  removeExport: adminProcedure
    .meta({
      summary: 'Remove an export; its addresses stop working',
      rest: ['DELETE /api/calendar/admin/exports/{id}'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => removeExport(ctx.deps, ctx.actor, input.id)),
})
