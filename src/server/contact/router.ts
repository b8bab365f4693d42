import { contactForm, contactMessages } from '../../domain/contact.ts'
import { limitedByAddress, publicProcedure, router } from '../trpc.ts'
import { contactReadiness, sendContactMessage } from './service.ts'

export const contactRouter = router({
  ready: publicProcedure.query(({ ctx }) => contactReadiness(ctx.deps)),
  send: publicProcedure
    .input(contactForm)
    .use(limitedByAddress('contactByAddress'))
    .mutation(async ({ ctx, input }) => {
      await sendContactMessage(ctx.deps, input)
      return { message: contactMessages.sent }
    }),
})
