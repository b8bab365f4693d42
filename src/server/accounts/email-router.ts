import {
  emailChangeAnswer,
  emailChangeForm,
  emailLinkAnswer,
  linkForm,
} from '../../domain/account-safety-form.ts'
import { messageAnswer } from '../../domain/wire.ts'
import { checked, limitedByAddress, publicProcedure, router, sessionProcedure } from '../kernel/trpc.ts'

const notBuiltYet = (): never => {
  throw new Error('not built yet')
}

export const emailRouter = router({
  start: sessionProcedure
    .meta({
      summary: 'Begin a change of the e-mail; both addresses get a link',
      rest: ['POST /api/person/email'],
      ownLimit: true,
    })
    .input(emailChangeForm)
    .output(checked(emailChangeAnswer))
    .mutation(notBuiltYet),
  current: sessionProcedure
    .meta({ summary: 'The open change, or null', rest: ['GET /api/person/email'] })
    .output(checked(emailChangeAnswer))
    .query(notBuiltYet),
  giveUp: sessionProcedure
    .meta({ summary: 'Give the open change up', rest: ['DELETE /api/person/email'] })
    .output(checked(messageAnswer))
    .mutation(notBuiltYet),
  confirm: publicProcedure
    .meta({
      summary: 'Confirm a change by the link of one address',
      rest: ['POST /api/person/email/confirm'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(emailLinkAnswer))
    .mutation(notBuiltYet),
  undo: publicProcedure
    .meta({
      summary: 'Undo a change by the link of the former address, within seven days',
      rest: ['POST /api/person/email/undo'],
    })
    .use(limitedByAddress('accountLinkByAddress'))
    .input(linkForm)
    .output(checked(emailLinkAnswer))
    .mutation(notBuiltYet),
})
