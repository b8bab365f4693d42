import { z } from 'zod'
import { wireMoment } from '../../domain/common/wire.ts'
import type { Deps } from './deps.ts'

/** The notices that can be postponed: advice, never critical. */
export const adviceIds = ['admin-without-factor', 'backups-elsewhere'] as const
export type AdviceId = (typeof adviceIds)[number]

/** Something the owner should know or do. `action` is what the notice board offers for it. */
export const noticeView = z.strictObject({
  id: z.string(),
  tone: z.enum(['warning', 'danger']),
  title: z.string(),
  detail: z.string(),
  at: wireMoment.nullable(),
  action: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('failed_mail'), outboxId: z.string(), canRetry: z.boolean() }),
      z.strictObject({ kind: z.literal('held_mails'), mails: z.int() }),
      z.strictObject({ kind: z.literal('dismiss_event'), eventId: z.string() }),
      z.strictObject({
        kind: z.literal('application'),
        applicationId: z.string(),
        /** What of its deposit is to be returned now. */
        returnCents: z.int().optional(),
      }),
      z.strictObject({ kind: z.literal('calendars') }),
      z.strictObject({ kind: z.literal('rates') }),
      z.strictObject({ kind: z.literal('books') }),
      /** The arrival of a guest, or the page of all. */
      z.strictObject({ kind: z.literal('arrival'), applicationId: z.string().optional() }),
      z.strictObject({ kind: z.literal('site') }),
      z.strictObject({ kind: z.literal('setup') }),
      z.strictObject({ kind: z.literal('server') }),
      z.strictObject({ kind: z.literal('two_step'), id: z.enum(adviceIds) }),
      z.strictObject({ kind: z.literal('backups'), id: z.enum(adviceIds) }),
      z.strictObject({
        kind: z.literal('unexpected_payment'),
        paymentId: z.string(),
        applicationId: z.string().nullable(),
        leftCents: z.int(),
        isBank: z.literal(true).optional(),
        /** Money that came by hand for an application that was deleted: how its return is recorded. */
        byHand: z
          .strictObject({ applicationId: z.string(), kind: z.enum(['refund', 'deposit_return']) })
          .optional(),
      }),
    ])
    .nullable(),
})
export type Notice = z.infer<typeof noticeView>

/** What a check finds: critical (red), without time and action unless given. */
export type FoundNotice = Pick<Notice, 'id' | 'title' | 'detail'> &
  Partial<Notice> & {
    /** The owner gets a separate mail about this, so the daily mail leaves it out. */
    ownMail?: boolean
  }
/**
 * Checks for one kind of problem; it stands beside its feature, and the notice board lists all. A notice disappears with
 * its cause; an empty list means all is well.
 */
export type NoticeCheck = (deps: Deps) => FoundNotice[]

export const maxPerKind = 20

/** The action that opens the application; null if there is none. */
export const openApplication = (applicationId: string | null | undefined): Notice['action'] =>
  applicationId ? { kind: 'application', applicationId } : null
