import { z } from 'zod'
import { withId } from '../../../domain/common/record-ids.ts'
import { messageResponse } from '../../../domain/common/wire.ts'
import { adminProcedure, checked, router } from '../../kernel/trpc.ts'
import { decideHeldMails } from '../backup/restored.ts'
import { readServerStates, serverStates } from '../server-states.ts'
import { listNotices, noticesResponse } from './list-notices.ts'
import { adviceInput, dismissFailedMail, retryMail, snoozeNotice } from './notice-actions.ts'
import { ownerDay, ownerDayView } from './owner-day.ts'

export const noticesRouter = router({
  list: adminProcedure
    .output(checked(noticesResponse))
    .query(async ({ ctx }) => ({ notices: await listNotices(ctx.deps) })),
  ownerDay: adminProcedure.output(checked(ownerDayView)).query(({ ctx }) => ownerDay(ctx.deps)),
  server: adminProcedure.output(checked(serverStates)).query(({ ctx }) => readServerStates(ctx.deps)),
  retryMail: adminProcedure
    .meta({ stepUp: 'never' })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await retryMail(ctx.deps, ctx.actor, input.id)
      return { message: 'The mail is queued again.' }
    }),
  dismissMail: adminProcedure
    .meta({ stepUp: 'never' })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await dismissFailedMail(ctx.deps, ctx.actor, input.id)
      return { message: 'The mail will not be sent.' }
    }),
  heldMails: adminProcedure
    .meta({
      stepUp: 'never',
      summary: 'Sends or discards the mails that a restore holds',
      rest: ['POST /api/setup/admin/held-mails'],
    })
    .input(z.object({ send: z.boolean() }))
    .output(checked(z.strictObject({ count: z.int() })))
    .mutation(({ ctx, input }) => decideHeldMails(ctx.deps, ctx.actor, input.send)),
  putOff: adminProcedure
    .meta({ stepUp: 'never' })
    .input(adviceInput)
    .output(checked(messageResponse))
    .mutation(({ ctx, input }) => snoozeNotice(ctx.deps, ctx.actor, input.id)),
})
