import { z } from 'zod'
import { recordId, withApplication } from '../../domain/common/record-ids.ts'
import { laterChargeForm, voidForm } from '../../domain/money/later-charge.ts'
import { adminProcedure, checked, router, sessionProcedure } from '../kernel/trpc.ts'
import { addCharge, voidCharge } from './later-charges.ts'
import { listCharges } from './queries.ts'
import { adminChargeView, chargeSummaryView, chargeView } from './views.ts'

const chargeResponse = z.strictObject({ charge: adminChargeView, summary: chargeSummaryView })

export const chargesRouter = router({
  list: sessionProcedure
    .meta({
      summary: 'What is owed for an application, line by line, and what was paid',
      rest: ['GET /api/charge/{applicationId}'],
    })
    .input(withApplication)
    .output(
      checked(
        z.strictObject({
          charges: z.array(z.union([chargeView, adminChargeView])),
          summary: chargeSummaryView,
        }),
      ),
    )
    .query(({ ctx, input }) => listCharges(ctx.deps, ctx.actor, input.applicationId)),
  add: adminProcedure
    .meta({
      summary: 'Add a charge to a signed lease or to a booking without one',
      rest: ['POST /api/charge/admin/{applicationId}'],
      status: 201,
      stepUp: 'always',
    })
    .input(laterChargeForm.and(withApplication))
    .output(checked(chargeResponse))
    .mutation(({ ctx, input: { applicationId, ...charge } }) =>
      addCharge(ctx.deps, ctx.actor, applicationId, charge),
    ),
  void: adminProcedure
    .meta({
      summary: 'Void a charge that was added later',
      rest: ['POST /api/charge/admin/{chargeId}/void'],
      stepUp: 'always',
    })
    .input(voidForm.extend({ chargeId: recordId }))
    .output(checked(chargeResponse))
    .mutation(({ ctx, input }) => voidCharge(ctx.deps, ctx.actor, input.chargeId, input.reason)),
})
