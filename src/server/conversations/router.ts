import { z } from 'zod'
import { requireTenant, type SignedIn } from '../../domain/accounts/access.ts'
import { withApplication, withId, withToken } from '../../domain/common/record-ids.ts'
import { messageForm, noteForm, threadQuery } from '../../domain/conversations/message-form.ts'
import { quickReplyChange, quickReplyForm } from '../../domain/conversations/quick-reply.ts'
import {
  adminProcedure,
  checked,
  limitedByAddress,
  publicProcedure,
  router,
  sessionProcedure,
} from '../kernel/trpc.ts'
import {
  addQuickReply,
  changeQuickReply,
  fillQuickReply,
  listQuickReplies,
  quickReplyView,
  removeQuickReply,
} from './quick-replies.ts'
import { markAnswered, markRead, noteMessage, openLink, readByLink, sendMessage } from './send.ts'
import { countUnread, listThreads, readThread } from './threads.ts'
import { messageView, openedView, threadsView, threadView, unreadView } from './views.ts'

const withNumber = withApplication.extend({ number: z.int().min(1) })
const pageNumber = z.coerce.number().int().min(1)
const withPage = withApplication.extend({
  before: pageNumber.optional(),
  limit: pageNumber.max(200).optional(),
})

const threadAnswer = checked(z.strictObject({ thread: threadView.nullable() }))
const messageAnswer = checked(z.strictObject({ message: messageView }))
const sentAnswer = checked(z.strictObject({ message: messageView, unread: z.int() }))
const replyAnswer = checked(z.strictObject({ reply: quickReplyView }))
const unreadAnswer = checked(z.strictObject({ unread: z.int() }))

/** The administrator has paths of their own. */
const tenantOf = (actor: SignedIn, applicationId: string) => ({
  actor: requireTenant(actor, 'Please answer under Messages.'),
  applicationId,
})
const never = { stepUp: 'never', ownLimit: true } as const
const created = { ...never, status: 201 } as const

export const conversationsRouter = router({
  thread: sessionProcedure
    .meta({ summary: 'A page of a conversation', rest: ['GET /api/message/{applicationId}'] })
    .input(withPage)
    .output(threadAnswer)
    .query(({ ctx, input }) => ({ thread: readThread(ctx.deps, ctx.actor, input) })),
  unread: sessionProcedure
    .meta({ summary: 'How many messages the caller has not read', rest: ['GET /api/message/unread'] })
    .output(checked(unreadView))
    .query(({ ctx }) => countUnread(ctx.deps, ctx.actor)),
  send: sessionProcedure
    .meta({ summary: 'Write to the owner', rest: ['POST /api/message/{applicationId}'], ...created })
    .input(messageForm.and(withApplication))
    .output(sentAnswer)
    .mutation(({ ctx, input }) => sendMessage(ctx.deps, tenantOf(ctx.actor, input.applicationId), input)),
  markRead: sessionProcedure
    .meta({
      summary: 'Mark as read up to a message',
      rest: ['PUT /api/message/{applicationId}/read'],
      ...never,
    })
    .input(withNumber)
    .output(unreadAnswer)
    .mutation(({ ctx, input }) => markRead(ctx.deps, tenantOf(ctx.actor, input.applicationId), input)),
  openReply: publicProcedure
    .meta({ summary: 'The messages of a mail; changes nothing', rest: ['POST /api/message/reply/open'] })
    .input(withToken)
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(openedView))
    .mutation(({ ctx, input }) => readByLink(ctx.deps, ctx.actor, input.token)),
  reply: publicProcedure
    .meta({ summary: 'Answer by the link of a mail', rest: ['POST /api/message/reply'], status: 201 })
    .input(messageForm.and(withToken))
    .use(limitedByAddress('guestLinkByAddress'))
    .output(messageAnswer)
    .mutation(async ({ ctx, input }) => {
      const { sender } = openLink(ctx.deps, ctx.actor, input.token)
      return { message: (await sendMessage(ctx.deps, sender, input)).message }
    }),
  adminThreads: adminProcedure
    .meta({ summary: 'Conversations, those that wait first', rest: ['GET /api/message/admin/threads'] })
    .input(threadQuery.optional())
    .output(checked(threadsView))
    .query(({ ctx, input }) => listThreads(ctx.deps, threadQuery.parse(input ?? {}))),
  adminSend: adminProcedure
    .meta({
      summary: 'Write to the tenant',
      rest: ['POST /api/message/admin/{applicationId}'],
      ...created,
      stepUp: 'always',
    })
    .input(messageForm.and(withApplication))
    .output(sentAnswer)
    .mutation(({ ctx: { actor, deps }, input }) => sendMessage(deps, { actor, ...input }, input)),
  note: adminProcedure
    .meta({
      summary: 'Note what the tenant wrote by mail or said by phone',
      rest: ['POST /api/message/admin/{applicationId}/note'],
      ...created,
      stepUp: 'always',
    })
    .input(noteForm.and(withApplication))
    .output(messageAnswer)
    .mutation(async ({ ctx: { actor, deps }, input }) => ({
      message: await noteMessage(deps, { actor, ...input }, input),
    })),
  answered: adminProcedure
    .meta({
      summary: 'No answer is needed up to this message',
      rest: ['POST /api/message/admin/{applicationId}/answered'],
      ...never,
    })
    .input(withNumber)
    .output(threadAnswer)
    .mutation(async ({ ctx: { actor, deps }, input }) => ({
      thread: await markAnswered(deps, { actor, ...input }, input.number),
    })),
  adminMarkRead: adminProcedure
    .meta({
      summary: 'Mark as read up to a message, or as unread from it on',
      rest: ['PUT /api/message/admin/{applicationId}/read'],
      ...never,
    })
    .input(withNumber.extend({ unread: z.boolean().optional() }))
    .output(unreadAnswer)
    .mutation(({ ctx: { actor, deps }, input }) => markRead(deps, { actor, ...input }, input)),
  quickReplies: adminProcedure
    .meta({ summary: 'The quick replies', rest: ['GET /api/message/admin/quick-replies'] })
    .output(checked(z.strictObject({ replies: z.array(quickReplyView) })))
    .query(({ ctx }) => ({ replies: listQuickReplies(ctx.deps.db) })),
  addQuickReply: adminProcedure
    .meta({
      summary: 'Add a quick reply',
      rest: ['POST /api/message/admin/quick-replies'],
      status: 201,
      stepUp: 'always',
    })
    .input(quickReplyForm)
    .output(replyAnswer)
    .mutation(async ({ ctx: { actor, deps }, input }) => ({
      reply: await addQuickReply(deps, actor, input),
    })),
  changeQuickReply: adminProcedure
    .meta({
      summary: 'Change a quick reply, or its place',
      rest: ['PUT /api/message/admin/quick-replies/{id}'],
      stepUp: 'always',
    })
    .input(quickReplyChange.extend(withId.shape))
    .output(replyAnswer)
    .mutation(async ({ ctx: { actor, deps }, input }) => ({
      reply: await changeQuickReply(deps, actor, input),
    })),
  removeQuickReply: adminProcedure
    .meta({
      summary: 'Remove a quick reply',
      rest: ['DELETE /api/message/admin/quick-replies/{id}'],
      stepUp: 'always',
    })
    .input(withId)
    .output(checked(z.strictObject({ message: z.string() })))
    .mutation(({ ctx: { actor, deps }, input }) => removeQuickReply(deps, actor, input.id)),
  fillQuickReply: adminProcedure
    .meta({
      summary: 'Fill a quick reply for an application; changes nothing',
      rest: ['POST /api/message/admin/quick-replies/{id}/fill'],
      stepUp: 'never',
    })
    .input(withId.extend(withApplication.shape))
    .output(checked(z.strictObject({ text: z.string(), missing: z.array(z.string()) })))
    .mutation(({ ctx: { actor, deps }, input }) => fillQuickReply(deps, actor, input)),
})
