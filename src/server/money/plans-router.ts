import { withApplication, withId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { dueInput } from '../../domain/money/payment-plan-due.ts'
import { lateFeeCharge, postponeForm, waiveForm } from '../../domain/money/payment-plan-form.ts'
import { ownReminder } from '../../domain/money/payment-plan-reminder.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../kernel/trpc.ts'
import { chargeLateFee, dismissLateFee, postponeInstallment, waiveInstallment } from './change-installment.ts'
import { listDue } from './due.ts'
import { showPlan } from './queries.ts'
import { previewReminder, sendReminder } from './reminders.ts'
import { dueView, planView, reminderPreview } from './views.ts'

export const plansRouter = router({
  show: sessionProcedure
    .meta({
      summary: 'The payment plan of an application, and how it can be paid',
      rest: ['GET /api/plan/{applicationId}'],
    })
    .input(withApplication)
    .output(checked(planView))
    .query(({ ctx, input }) => showPlan(ctx.deps, ctx.actor, input.applicationId)),
  due: adminProcedure
    .meta({
      summary: 'Payments of signed bookings that are overdue or due within 30 days',
      rest: ['GET /api/plan/admin/due'],
    })
    .input(dueInput.optional())
    .output(checked(dueView))
    .query(({ ctx, input }) => listDue(ctx.deps, ctx.actor, dueInput.parse(input ?? {}))),
  previewReminder: adminProcedure
    .input(ownReminder)
    .output(checked(reminderPreview))
    .query(({ ctx, input }) => previewReminder(ctx.deps, ctx.actor, input)),
  remind: adminProcedure
    .meta({ stepUp: 'sometimes' })
    .input(ownReminder)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await sendReminder(ctx.deps, ctx.actor, input)
      return { message: 'The reminder is on its way' }
    }),
  postpone: adminProcedure
    .meta({
      summary: 'Move the open part of an installment, or some of it, to a later date',
      rest: ['POST /api/plan/admin/installment/{id}/postpone'],
      stepUp: 'never',
    })
    .input(postponeForm.and(withId))
    .output(checked(planView))
    .mutation(({ ctx, input: { id, ...change } }) => postponeInstallment(ctx.deps, ctx.actor, id, change)),
  waive: adminProcedure
    .meta({
      summary: 'Take the open part of an installment out of what is owed',
      rest: ['POST /api/plan/admin/installment/{id}/waive'],
      stepUp: 'always',
    })
    .input(waiveForm.and(withId))
    .output(checked(planView))
    .mutation(({ ctx, input: { id, ...input } }) => waiveInstallment(ctx.deps, ctx.actor, id, input)),
  chargeLateFee: adminProcedure
    .meta({
      summary: 'Charge the proposed late fee of an installment, or less',
      rest: ['POST /api/plan/admin/installment/{id}/late-fee'],
      status: 201,
      stepUp: 'never',
    })
    .input(lateFeeCharge.and(withId))
    .output(checked(planView))
    .mutation(({ ctx, input: { id, ...input } }) => chargeLateFee(ctx.deps, ctx.actor, id, input)),
  dismissLateFee: adminProcedure
    .meta({
      summary: 'Decide against the late fee of an installment',
      rest: ['POST /api/plan/admin/installment/{id}/dismiss-late-fee'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(planView))
    .mutation(({ ctx, input }) => dismissLateFee(ctx.deps, ctx.actor, input.id)),
})
