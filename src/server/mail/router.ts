import { z } from 'zod'
import { messageResponse } from '../../domain/common/wire.ts'
import { contactForm } from '../../domain/content/contact.ts'
import { contactMessages } from '../../domain/content/contact-messages.ts'
import { checked, limitedByAddress, publicProcedure, router, whenOpenOrSignedIn } from '../kernel/trpc.ts'
import { contactReadiness, sendContactMessage } from './contact.ts'

export const contactRouter = router({
  ready: publicProcedure
    .use(whenOpenOrSignedIn)
    .output(checked(z.strictObject({ ready: z.boolean(), configured: z.boolean(), ownerEmail: z.string() })))
    .query(({ ctx }) => contactReadiness(ctx.deps)),
  send: publicProcedure
    .use(whenOpenOrSignedIn)
    .input(contactForm)
    .use(limitedByAddress('contactByAddress'))
    .use(limitedByAddress('contactOfDayByAddress'))
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await sendContactMessage(ctx.deps, input)
      return { message: contactMessages.sent }
    }),
})
