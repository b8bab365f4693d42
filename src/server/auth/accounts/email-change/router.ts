import {
  emailChangeForm,
  emailChangeResponse,
  emailLinkResponse,
  linkForm,
  mailboxCodeForm,
  mailboxCodeResponse,
} from '../../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers } from '../../../../domain/accounts/account-safety-messages.ts'
import { messageResponse } from '../../../../domain/common/wire.ts'
import { checked, limitedByAddress, publicProcedure, router, sessionProcedure } from '../../../kernel/trpc.ts'
import { confirmMailboxCode, sendMailboxCode } from '../prove-mailbox.ts'
import { confirmEmailChangeByLink } from './confirm-change.ts'
import { currentEmailChange } from './queries.ts'
import { cancelOwnEmailChange, requestEmailChange } from './request-change.ts'
import { undoEmailChangeByLink } from './undo-change.ts'

export const emailChangeRouter = router({
  start: sessionProcedure
    .meta({
      summary: 'Begin a change of the email; both addresses get a link',
      rest: ['POST /api/person/email'],
      ownLimit: true,
      stepUp: 'always',
    })
    .input(emailChangeForm)
    .output(checked(emailChangeResponse))
    .mutation(({ ctx, input }) => requestEmailChange(ctx.deps, ctx.actor, input)),
  current: sessionProcedure
    .meta({ summary: 'The open change, or null', rest: ['GET /api/person/email'] })
    .output(checked(emailChangeResponse))
    .query(({ ctx }) => currentEmailChange(ctx.deps, ctx.actor)),
  giveUp: sessionProcedure
    .meta({ summary: 'Cancel the pending change', rest: ['DELETE /api/person/email'], stepUp: 'never' })
    .output(checked(messageResponse))
    .mutation(({ ctx }) => cancelOwnEmailChange(ctx.deps, ctx.actor)),
  sendCode: sessionProcedure
    .meta({
      summary: 'Mail a code that proves that the mailbox belongs to the caller',
      rest: ['POST /api/person/email/code'],
      stepUp: 'never',
    })
    .use(limitedByAddress('mailboxCodeByAddress'))
    .output(checked(mailboxCodeResponse))
    .mutation(({ ctx }) => sendMailboxCode(ctx.deps, ctx.actor)),
  confirmCode: sessionProcedure
    .meta({
      summary: 'Prove the mailbox by the mailed code',
      rest: ['POST /api/person/email/code/confirm'],
      stepUp: 'never',
    })
    .input(mailboxCodeForm)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await confirmMailboxCode(ctx.deps, ctx.actor, input)
      return { message: safetyAnswers.mailboxConfirmed }
    }),
  confirm: publicProcedure
    .meta({
      summary: 'Confirm a change by the link of one address',
      rest: ['POST /api/person/email/confirm'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(emailLinkResponse))
    .mutation(({ ctx, input }) => confirmEmailChangeByLink(ctx.deps, ctx.actor, input)),
  undo: publicProcedure
    .meta({
      summary: 'Undo a change by the link of the former address, within seven days',
      rest: ['POST /api/person/email/undo'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(emailLinkResponse))
    .mutation(({ ctx, input }) => undoEmailChangeByLink(ctx.deps, ctx.actor, input)),
})
