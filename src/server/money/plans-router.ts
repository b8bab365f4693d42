import { z } from 'zod'
import { dueInput } from '../../domain/money/payment-plan-due.ts'
import { lateFeeCharge, planChange, postponeForm, waiveForm } from '../../domain/money/payment-plan-form.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../kernel/trpc.ts'
import { chargeLateFee, dismissLateFee, postponeInstallment, waiveInstallment } from './change-installment.ts'
import { listDue } from './due.ts'
import { type ChangePlan, hasPlans, showPlan } from './queries.ts'
import { dueView, planView } from './views.ts'

const withApplication = z.object({ applicationId: z.string().max(100) })
const withInstallment = z.object({ id: z.string().max(100) })

/** A lease contains its plan, so the function that changes both is passed in. */
export const createPlansRouter = (changePlan: ChangePlan) =>
  router({
    show: sessionProcedure
      .meta({
        summary: 'The payment plan of an application, and how it can be paid',
        rest: ['GET /api/plan/{applicationId}'],
      })
      .input(withApplication)
      .output(checked(planView))
      .query(({ ctx, input }) => showPlan(ctx.deps, ctx.actor, input.applicationId)),
    change: adminProcedure
      .meta({
        summary: 'Change the payment plan of a lease that is not signed',
        rest: ['PUT /api/plan/admin/{applicationId}'],
        stepUp: 'never',
      })
      .input(planChange.and(withApplication))
      .output(checked(planView))
      .mutation(({ ctx, input: { applicationId, ...change } }) =>
        changePlan(ctx.deps, ctx.actor, applicationId, change),
      ),
    due: adminProcedure
      .meta({
        summary: 'Payments of signed bookings that are overdue or due within 30 days',
        rest: ['GET /api/plan/admin/due'],
      })
      .input(dueInput.optional())
      .output(checked(dueView))
      .query(({ ctx, input }) => listDue(ctx.deps, ctx.actor, dueInput.parse(input ?? {}))),
    exist: adminProcedure.output(checked(z.boolean())).query(({ ctx }) => hasPlans(ctx.deps, ctx.actor)),
    postpone: adminProcedure
      .meta({
        summary: 'Move the open part of an installment, or some of it, to a later date',
        rest: ['POST /api/plan/admin/instalment/{id}/postpone'],
        stepUp: 'never',
      })
      .input(postponeForm.and(withInstallment))
      .output(checked(planView))
      .mutation(({ ctx, input: { id, ...change } }) => postponeInstallment(ctx.deps, ctx.actor, id, change)),
    waive: adminProcedure
      .meta({
        summary: 'Take the open part of an installment out of what is owed',
        rest: ['POST /api/plan/admin/instalment/{id}/waive'],
        stepUp: 'always',
      })
      .input(waiveForm.and(withInstallment))
      .output(checked(planView))
      .mutation(({ ctx, input: { id, reason } }) => waiveInstallment(ctx.deps, ctx.actor, id, reason)),
    chargeLateFee: adminProcedure
      .meta({
        summary: 'Charge the proposed late fee of an installment, or less',
        rest: ['POST /api/plan/admin/instalment/{id}/late-fee'],
        status: 201,
        stepUp: 'never',
      })
      .input(lateFeeCharge.and(withInstallment))
      .output(checked(planView))
      .mutation(({ ctx, input: { id, amountCents } }) => chargeLateFee(ctx.deps, ctx.actor, id, amountCents)),
    dismissLateFee: adminProcedure
      .meta({
        summary: 'Decide against the late fee of an installment',
        rest: ['POST /api/plan/admin/instalment/{id}/dismiss-late-fee'],
        stepUp: 'never',
      })
      .input(withInstallment)
      .output(checked(planView))
      .mutation(({ ctx, input }) => dismissLateFee(ctx.deps, ctx.actor, input.id)),
  })
