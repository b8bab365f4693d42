import { z } from 'zod'
import { adminEditForm, applicationEditForm, applicationForm } from '../../domain/application.ts'
import {
  applicationDeletion,
  applicationDeletions,
  applicationQuery,
  statusChange,
  statusChanges,
} from '../../domain/application-query.ts'
import { adminProcedure, router, sessionProcedure } from '../trpc.ts'
import { editApplication } from './admin-edit.ts'
import { countApplications, listApplications } from './admin-list.ts'
import {
  deleteApplication,
  forEachApplication,
  getForAdmin,
  previewStatus,
  setStatus,
} from './admin-service.ts'
import {
  createAndSubmit,
  createApplication,
  getApplication,
  listOwn,
  submitApplication,
  updateApplication,
  withdrawApplication,
} from './service.ts'

const withId = z.object({ id: z.string() })
const withRequest = z.object({ requestId: z.uuid().optional() })

export const applicationsRouter = router({
  status: sessionProcedure.query(({ ctx }) => {
    const applications = listOwn(ctx.deps, ctx.actor)
    return { hasApplications: applications.length > 0, applications }
  }),
  create: sessionProcedure.input(applicationForm).mutation(async ({ ctx, input }) => ({
    application: await createApplication(ctx.deps, ctx.actor, input),
  })),
  submit: sessionProcedure.input(withId).mutation(async ({ ctx, input }) => ({
    application: await submitApplication(ctx.deps, ctx.actor, input.id),
  })),
  createAndSubmit: sessionProcedure
    .input(applicationForm.and(withRequest))
    .mutation(async ({ ctx, input }) => ({ application: await createAndSubmit(ctx.deps, ctx.actor, input) })),
  get: sessionProcedure
    .input(withId)
    .query(({ ctx, input }) => ({ application: getApplication(ctx.deps, ctx.actor, input.id) })),
  update: sessionProcedure
    .input(applicationEditForm.and(withId))
    .mutation(async ({ ctx, input: { id, ...edit } }) => ({
      application: await updateApplication(ctx.deps, ctx.actor, id, edit),
    })),
  withdraw: sessionProcedure.input(withId).mutation(async ({ ctx, input }) => ({
    application: await withdrawApplication(ctx.deps, ctx.actor, input.id),
  })),

  adminList: adminProcedure
    .input(applicationQuery)
    .query(({ ctx, input }) => listApplications(ctx.deps, input)),
  adminCounts: adminProcedure.query(({ ctx }) => ({ counts: countApplications(ctx.deps) })),
  adminGet: adminProcedure
    .input(withId)
    .query(({ ctx, input }) => ({ application: getForAdmin(ctx.deps, ctx.actor, input.id) })),
  adminStatusPreview: adminProcedure
    .input(withId)
    .query(({ ctx, input }) => previewStatus(ctx.deps, ctx.actor, input.id)),
  adminSetStatus: adminProcedure
    .input(statusChange.extend(withId.shape))
    .mutation(async ({ ctx, input }) => ({
      application: await setStatus(ctx.deps, ctx.actor, input.id, input.status, input.fromStatus),
    })),
  adminSetStatuses: adminProcedure.input(statusChanges).mutation(async ({ ctx, input }) => ({
    results: await forEachApplication(ctx.deps, input.ids, id =>
      setStatus(ctx.deps, ctx.actor, id, input.status, input.fromStatuses?.[id]),
    ),
  })),
  adminEdit: adminProcedure
    .input(adminEditForm.and(withId))
    .mutation(async ({ ctx, input: { id, ...edit } }) => ({
      application: await editApplication(ctx.deps, ctx.actor, id, edit),
    })),
  adminDelete: adminProcedure.input(applicationDeletion).mutation(async ({ ctx, input }) => {
    await deleteApplication(ctx.deps, ctx.actor, input.id, input.fromStatus)
    return { message: 'Application deleted' }
  }),
  adminDeleteMany: adminProcedure.input(applicationDeletions).mutation(async ({ ctx, input }) => ({
    results: await forEachApplication(ctx.deps, input.ids, id =>
      deleteApplication(ctx.deps, ctx.actor, id, input.fromStatuses?.[id]),
    ),
  })),
})
