import { mailChange, mailConfirmation, mailTest, stripeChange } from '../../domain/content/connections.ts'
import { adminProcedure, checked, router } from '../kernel/trpc.ts'
import { getMail, getStripe } from './queries.ts'
import { saveMail } from './save-mail.ts'
import { saveStripe } from './save-stripe.ts'
import { confirmMail, sendTestMail } from './test-mail.ts'
import { mailOnView, mailTestView, mailView, stripeView } from './views.ts'

export const setupRouter = router({
  mail: adminProcedure
    .meta({ summary: 'Read the mail settings, without any secret', rest: ['GET /api/setup/admin/mail'] })
    .output(checked(mailView))
    .query(({ ctx }) => getMail(ctx.deps)),
  saveMail: adminProcedure
    .meta({
      summary: 'Save the mail server; in use when a test mail has arrived; a missing secret is kept',
      rest: ['PUT /api/setup/admin/mail'],
      stepUp: 'always',
    })
    .input(mailChange)
    .output(checked(mailView))
    .mutation(({ ctx, input }) => saveMail(ctx.deps, ctx.actor, input)),
  testMail: adminProcedure
    .meta({
      summary: 'Send a test mail with six digits by the saved settings',
      rest: ['POST /api/setup/admin/mail/test'],
      stepUp: 'never',
    })
    .input(mailTest)
    .output(checked(mailTestView))
    .mutation(({ ctx, input }) => sendTestMail(ctx.deps, ctx.actor, input)),
  confirmMail: adminProcedure
    .meta({
      summary: 'Put the saved mail settings into use with the digits of the test mail',
      rest: ['POST /api/setup/admin/mail/confirm'],
      stepUp: 'never',
    })
    .input(mailConfirmation)
    .output(checked(mailOnView))
    .mutation(({ ctx, input }) => confirmMail(ctx.deps, ctx.actor, input)),
  stripe: adminProcedure
    .meta({
      summary: 'Read the settings of card payments, without any secret',
      rest: ['GET /api/setup/admin/stripe'],
    })
    .output(checked(stripeView))
    .query(({ ctx }) => getStripe(ctx.deps)),
  saveStripe: adminProcedure
    .meta({
      summary: 'Save the keys of card payments and make the webhook endpoint; a missing secret is kept',
      rest: ['PUT /api/setup/admin/stripe'],
      stepUp: 'always',
    })
    .input(stripeChange)
    .output(checked(stripeView))
    .mutation(({ ctx, input }) => saveStripe(ctx.deps, ctx.actor, input)),
})
