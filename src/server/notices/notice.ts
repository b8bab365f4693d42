import { z } from 'zod'
import { wireMoment } from '../../domain/wire.ts'
import type { Deps } from '../kernel/deps.ts'
import { adviceIds } from './put-off.ts'

/** Something that the owner should know or do. `action` is what can be done about it on the notice board. */
export const noticeView = z.strictObject({
  id: z.string(),
  tone: z.enum(['warning', 'danger']),
  title: z.string(),
  detail: z.string(),
  at: wireMoment.nullable(),
  action: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('retry_mail'), outboxId: z.string() }),
      z.strictObject({ kind: z.literal('dismiss_event'), eventId: z.string() }),
      z.strictObject({ kind: z.literal('application'), applicationId: z.string() }),
      z.strictObject({ kind: z.literal('calendars') }),
      z.strictObject({ kind: z.literal('site') }),
      z.strictObject({ kind: z.literal('setup') }),
      z.strictObject({ kind: z.literal('two_step'), id: z.enum(adviceIds) }),
      z.strictObject({
        kind: z.literal('unexpected_payment'),
        paymentId: z.string(),
        applicationId: z.string().nullable(),
        leftCents: z.int(),
        isBank: z.literal(true).optional(),
      }),
    ])
    .nullable(),
})
export type Notice = z.infer<typeof noticeView>

/** What a check finds: red, without a moment and without an action unless it says otherwise. */
export type Finding = Pick<Notice, 'id' | 'title' | 'detail'> &
  Partial<Notice> & {
    /** The owner gets a mail about it besides, so the daily mail of dangers leaves it out. */
    ownMail?: boolean
  }
/** Looks for one kind of trouble. A finding disappears when its cause does; none when all is well. */
export type Check = (deps: Deps) => Finding[]

export const maxOfAKind = 20

/** The action that leads to an application; none for what belongs to no application. */
export const openApplication = (applicationId: string | null | undefined): Notice['action'] =>
  applicationId ? { kind: 'application', applicationId } : null
