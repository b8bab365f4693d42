import { z } from 'zod'
import {
  adminEditForm,
  applicationEditForm,
  applicationForm,
  applicationFormFor,
} from '../../domain/bookings/application-form.ts'
import {
  applicationDeletion,
  applicationDeletions,
  applicationQuery,
  guestMessage,
  statusChange,
  statusChanges,
  statusMailQuery,
} from '../../domain/bookings/application-query.ts'
import { withId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { adminApplicationView, applicationView } from '../bookings/views.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  router,
  sessionProcedure,
  validateWithGuestLimit,
  whenOpen,
} from '../kernel/trpc.ts'
import { editApplication } from './admin-edit.ts'
import { countApplications, listApplications } from './admin-list.ts'
import { forEachApplication } from './bulk.ts'
import { createAndSubmit, createApplication, submitApplication } from './create.ts'
import { deleteApplication } from './delete.ts'
import { updateApplication } from './edit.ts'
import { listBookingMails, previewStatusMail, writeToGuest } from './guest-mails.ts'
import { getApplication, getForAdmin, listOwn, previewStatus } from './queries.ts'
import { changeStatus, refreshCalendarsBefore, setStatus } from './set-status.ts'
import {
  applicationCounts,
  bookingMail,
  bulkResponse,
  listedApplicationView,
  mailPreview,
  seenDecision,
  statusPreviewView,
} from './views.ts'
import { withdrawApplication } from './withdraw.ts'

const withRequest = z.object({ requestId: z.uuid().optional() })
const tenantResponse = z.strictObject({ application: applicationView })
const adminResponse = z.strictObject({ application: adminApplicationView })
/** A message for each calendar that could not be read; left out when there are none. */
const warnings = z.array(z.string()).optional()
/** Whether somebody of the stay has seen a code that still opens (STAY-15). */
const codeShown = z.literal(true).optional()

export const applicationsRouter = router({
  status: sessionProcedure
    .meta({
      summary: 'The caller’s applications, newest first',
      rest: ['GET /api/application/status'],
    })
    .output(checked(z.strictObject({ hasApplications: z.boolean(), applications: z.array(applicationView) })))
    .query(({ ctx }) => {
      const applications = listOwn(ctx.deps, ctx.actor)
      return { hasApplications: applications.length > 0, applications }
    }),
  create: sessionProcedure
    .use(whenOpen)
    .meta({
      summary: 'Begin an application: a draft',
      rest: ['POST /api/application'],
      status: 201,
      stepUp: 'never',
    })
    .use(limitedByAddress('applyByAddress'))
    .use(validateWithGuestLimit(applicationFormFor))
    .input(applicationForm)
    .output(checked(tenantResponse))
    .mutation(async ({ ctx, input }) => ({
      application: await createApplication(ctx.deps, ctx.actor, input),
    })),
  submit: sessionProcedure
    .use(whenOpen)
    .meta({
      summary: 'Submit a draft; a second time changes nothing',
      rest: ['POST /api/application/{id}/submit'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(tenantResponse))
    .mutation(async ({ ctx, input }) => ({
      application: await submitApplication(ctx.deps, ctx.actor, input.id),
    })),
  createAndSubmit: sessionProcedure
    .use(whenOpen)
    .meta({ stepUp: 'never' })
    .use(limitedByAddress('applyByAddress'))
    .use(validateWithGuestLimit(limit => applicationFormFor(limit).and(withRequest)))
    .input(applicationForm.and(withRequest))
    .output(checked(tenantResponse))
    .mutation(async ({ ctx, input }) => ({ application: await createAndSubmit(ctx.deps, ctx.actor, input) })),
  get: sessionProcedure
    .meta({ summary: 'One application', rest: ['GET /api/application/{id}'] })
    .input(withId)
    .output(checked(z.strictObject({ application: z.union([applicationView, adminApplicationView]) })))
    .query(({ ctx, input }) => ({ application: getApplication(ctx.deps, ctx.actor, input.id) })),
  update: sessionProcedure
    .meta({
      summary: 'Change names, phone and address; a signed lease locks the names',
      rest: ['PUT /api/application/{id}'],
      stepUp: 'never',
    })
    .input(applicationEditForm.and(withId))
    .output(checked(tenantResponse))
    .mutation(async ({ ctx, input: { id, ...edit } }) => ({
      application: await updateApplication(ctx.deps, ctx.actor, id, edit),
    })),
  withdraw: sessionProcedure
    .meta({ stepUp: 'never' })
    .input(withId)
    .output(checked(tenantResponse))
    .mutation(async ({ ctx, input }) => ({
      application: await withdrawApplication(ctx.deps, ctx.actor, input.id),
    })),

  adminList: adminProcedure
    .meta({
      summary:
        'Submitted applications with their next steps, searched, filtered and sorted; paginated if `page` is given, else at most 250',
      rest: ['GET /api/application/admin/all'],
    })
    .input(applicationQuery)
    .output(
      checked(
        z.strictObject({
          applications: z.array(listedApplicationView),
          total: z.int().optional(),
          hasMore: z.boolean().optional(),
        }),
      ),
    )
    .query(({ ctx, input }) => listApplications(ctx.deps, input)),
  adminCounts: adminProcedure
    .meta({ summary: 'The number of submitted applications, by status' })
    .output(checked(z.strictObject({ counts: applicationCounts })))
    .query(({ ctx }) => ({ counts: countApplications(ctx.deps) })),
  adminGet: adminProcedure
    .meta({
      summary: 'One submitted application, with its next step',
      rest: ['GET /api/application/admin/{id}'],
    })
    .input(withId)
    .output(checked(z.strictObject({ application: listedApplicationView })))
    .query(({ ctx, input }) => ({ application: getForAdmin(ctx.deps, ctx.actor, input.id) })),
  adminStatusPreview: adminProcedure
    .input(withId)
    .output(checked(statusPreviewView))
    .query(({ ctx, input }) => previewStatus(ctx.deps, ctx.actor, input.id)),
  adminMails: adminProcedure
    .input(withId)
    .output(checked(z.strictObject({ mails: z.array(bookingMail) })))
    .query(({ ctx, input }) => ({ mails: listBookingMails(ctx.deps, ctx.actor, input.id) })),
  previewStatusMail: adminProcedure
    .input(statusMailQuery)
    .output(checked(mailPreview))
    .query(({ ctx, input }) => previewStatusMail(ctx.deps, ctx.actor, input)),
  writeToGuest: adminProcedure
    .meta({ stepUp: 'always' })
    .input(guestMessage)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await writeToGuest(ctx.deps, ctx.actor, input)
      return { message: 'Your message is on its way' }
    }),
  adminSetStatus: adminProcedure
    .meta({
      summary: 'Approve, decline or complete; rejects overlapping bookings',
      rest: ['PUT /api/application/admin/{id}/status'],
      stepUp: 'sometimes',
    })
    .input(statusChange.extend({ ...withId.shape, seen: seenDecision }))
    .output(checked(adminResponse.extend({ warnings, codeShown })))
    .mutation(({ ctx, input: { id, status, ...options } }) =>
      changeStatus(ctx.deps, ctx.actor, id, status, options),
    ),
  adminSetStatuses: adminProcedure
    .meta({ stepUp: 'never' })
    .input(statusChanges)
    .output(checked(bulkResponse.extend({ warnings })))
    .mutation(async ({ ctx, input }) => {
      const warnings = await refreshCalendarsBefore(ctx.deps, input.ids, input.status)
      const results = await forEachApplication(ctx.deps, input.ids, id =>
        setStatus(ctx.deps, ctx.actor, id, input.status, { fromStatus: input.fromStatuses?.[id] }),
      )
      return { results, ...(warnings.length > 0 && { warnings }) }
    }),
  adminEdit: adminProcedure
    .meta({
      summary: 'Change any fields; missing fields stay unchanged',
      rest: ['PUT /api/application/admin/{id}/edit'],
      stepUp: 'sometimes',
    })
    .input(adminEditForm.and(withId.extend({ overrideCalendar: statusChange.shape.overrideCalendar })))
    .output(checked(adminResponse))
    .mutation(async ({ ctx, input: { id, overrideCalendar, ...edit } }) => ({
      application: await editApplication(ctx.deps, ctx.actor, id, edit, overrideCalendar),
    })),
  adminDelete: adminProcedure
    .meta({
      summary: 'Delete an application; its payments stay in the ledger, unlinked',
      rest: ['DELETE /api/application/admin/{id}'],
      stepUp: 'never',
    })
    .input(applicationDeletion)
    .output(checked(messageResponse.extend({ codeShown })))
    .mutation(async ({ ctx, input }) => {
      const shown = await deleteApplication(ctx.deps, ctx.actor, input.id, input.fromStatus)
      return { message: 'Application deleted', ...shown }
    }),
  adminDeleteMany: adminProcedure
    .meta({ stepUp: 'never' })
    .input(applicationDeletions)
    .output(checked(bulkResponse))
    .mutation(async ({ ctx, input }) => ({
      results: await forEachApplication(ctx.deps, input.ids, id =>
        deleteApplication(ctx.deps, ctx.actor, id, input.fromStatuses?.[id]),
      ),
    })),
})
