import { z } from 'zod'
import { evidenceRefusals } from '../../domain/bookings/evidence.ts'
import { recordId } from '../../domain/common/record-ids.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { adminProcedure, checked, router } from '../kernel/trpc.ts'
import { removeEvidence } from './evidence.ts'

export const evidenceRouter = router({
  remove: adminProcedure
    .meta({
      summary: 'Set a photo aside; what a statement or letter names cannot be',
      rest: ['DELETE /api/evidence/admin/{evidenceId}'],
      stepUp: 'never',
    })
    .input(z.object({ evidenceId: recordId }))
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await removeEvidence(ctx.deps, ctx.actor, input.evidenceId)
      return { message: evidenceRefusals.removed }
    }),
})
