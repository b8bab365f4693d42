import { z } from 'zod'
import { requireTenant } from '../../domain/accounts/access.ts'
import { messageResponse } from '../../domain/common/wire.ts'
import { messageForm, noteForm, threadQuery } from '../../domain/conversations/message.ts'
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
  removeQuickReply,
} from './quick-replies.ts'
import { markAnswered, markRead, noteMessage, openLink, readByLink, sendMessage } from './send.ts'
import { countUnread, listThreads, readThread } from './threads.ts'
import {
  messageView,
  openedView,
  quickReplyView,
  sentView,
  threadsView,
  threadView,
  unreadView,
} from './views.ts'

const withApplication = z.object({ applicationId: z.string().max(100) })
const withNumber = withApplication.extend({ number: z.int().min(1) })
const withToken = z.object({ token: z.string().max(200) })
const withId = z.object({ id: z.string().max(100) })
const ownThread = 'Please answer under Messages.'
const unreadAnswer = z.strictObject({ unread: z.int() })

export const conversationsRouter = router({
  thread: sessionProcedure
    .meta({
      summary: 'A page of a conversation, oldest first; null while messages are off',
      rest: ['GET /api/message/{applicationId}'],
    })
    .input(
      withApplication.extend({
        before: z.coerce.number().int().min(1).optional(),
        limit: z.coerce.number().int().min(1).max(200).optional(),
      }),
    )
    .output(checked(z.strictObject({ thread: threadView.nullable() })))
    .query(({ ctx, input }) => ({ thread: readThread(ctx.deps, ctx.actor, input) })),
  unread: sessionProcedure
    .meta({ summary: 'How many messages the caller has not read', rest: ['GET /api/message/unread'] })
    .output(checked(unreadView))
    .query(({ ctx }) => countUnread(ctx.deps, ctx.actor)),
  send: sessionProcedure
    .meta({
      summary: 'Write to the owner',
      rest: ['POST /api/message/{applicationId}'],
      status: 201,
      stepUp: 'never',
      ownLimit: true,
    })
    .input(messageForm.and(withApplication))
    .output(checked(sentView))
    .mutation(({ ctx, input: { applicationId, ...form } }) =>
      sendMessage(ctx.deps, { actor: requireTenant(ctx.actor, ownThread), applicationId }, form),
    ),
  markRead: sessionProcedure
    .meta({
      summary: 'Mark a conversation as read up to a message',
      rest: ['PUT /api/message/{applicationId}/read'],
      stepUp: 'never',
      ownLimit: true,
    })
    .input(withNumber)
    .output(checked(unreadAnswer))
    .mutation(({ ctx, input }) => markRead(ctx.deps, requireTenant(ctx.actor, ownThread), input)),
  openReply: publicProcedure
    .meta({
      summary: 'The messages of a mail, by its link; changes nothing',
      rest: ['POST /api/message/reply/open'],
    })
    .input(withToken)
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(openedView))
    .mutation(({ ctx, input }) => readByLink(ctx.deps, ctx.actor, input.token)),
  reply: publicProcedure
    .meta({ summary: 'Answer by the link of a mail', rest: ['POST /api/message/reply'], status: 201 })
    .input(messageForm.and(withToken))
    .use(limitedByAddress('guestLinkByAddress'))
    .output(checked(z.strictObject({ message: messageView })))
    .mutation(async ({ ctx, input: { token, ...form } }) => {
      const { sender } = openLink(ctx.deps, ctx.actor, token)
      const { message } = await sendMessage(ctx.deps, sender, form)
      return { message }
    }),
  adminThreads: adminProcedure
    .meta({
      summary: 'Conversations, those that wait first; 50 a page',
      rest: ['GET /api/message/admin/threads'],
    })
    .input(threadQuery.optional())
    .output(checked(threadsView))
    .query(({ ctx, input }) => listThreads(ctx.deps, threadQuery.parse(input ?? {}))),
  adminSend: adminProcedure
    .meta({
      summary: 'Write to the tenant',
      rest: ['POST /api/message/admin/{applicationId}'],
      status: 201,
      stepUp: 'never',
    })
    .input(messageForm.and(withApplication))
    .output(checked(sentView))
    .mutation(({ ctx, input: { applicationId, ...form } }) =>
      sendMessage(ctx.deps, { actor: ctx.actor, applicationId }, form),
    ),
  note: adminProcedure
    .meta({
      summary: 'Note what the tenant wrote by mail or said by phone',
      rest: ['POST /api/message/admin/{applicationId}/note'],
      status: 201,
      stepUp: 'never',
    })
    .input(noteForm.and(withApplication))
    .output(checked(z.strictObject({ message: messageView })))
    .mutation(async ({ ctx, input: { applicationId, ...note } }) => ({
      message: await noteMessage(ctx.deps, ctx.actor, applicationId, note),
    })),
  answered: adminProcedure
    .meta({
      summary: 'No answer is needed up to this message',
      rest: ['POST /api/message/admin/{applicationId}/answered'],
      stepUp: 'never',
    })
    .input(withNumber)
    .output(checked(z.strictObject({ thread: threadView.nullable() })))
    .mutation(async ({ ctx, input }) => ({ thread: await markAnswered(ctx.deps, ctx.actor, input) })),
  adminMarkRead: adminProcedure
    .meta({
      summary: 'Mark a conversation as read up to a message, or as unread from it on',
      rest: ['PUT /api/message/admin/{applicationId}/read'],
      stepUp: 'never',
    })
    .input(withNumber.extend({ unread: z.boolean().optional() }))
    .output(checked(unreadAnswer))
    .mutation(({ ctx, input: { unread = false, ...mark } }) =>
      markRead(ctx.deps, ctx.actor, { ...mark, unread }),
    ),
  quickReplies: adminProcedure
    .meta({ summary: 'The quick replies in their order', rest: ['GET /api/message/admin/quick-replies'] })
    .output(checked(z.strictObject({ replies: z.array(quickReplyView) })))
    .query(({ ctx }) => ({ replies: listQuickReplies(ctx.deps.db) })),
  addQuickReply: adminProcedure
    .meta({
      summary: 'Add a quick reply',
      rest: ['POST /api/message/admin/quick-replies'],
      status: 201,
      stepUp: 'never',
    })
    .input(quickReplyForm)
    .output(checked(z.strictObject({ reply: quickReplyView })))
    .mutation(async ({ ctx, input }) => ({ reply: await addQuickReply(ctx.deps, input) })),
  changeQuickReply: adminProcedure
    .meta({
      summary: 'Change or move a quick reply',
      rest: ['PUT /api/message/admin/quick-replies/{id}'],
      stepUp: 'never',
    })
    .input(quickReplyChange.and(withId))
    .output(checked(z.strictObject({ reply: quickReplyView })))
    .mutation(async ({ ctx, input: { id, ...change } }) => ({
      reply: await changeQuickReply(ctx.deps, id, change),
    })),
  removeQuickReply: adminProcedure
    .meta({
      summary: 'Remove a quick reply',
      rest: ['DELETE /api/message/admin/quick-replies/{id}'],
      stepUp: 'never',
    })
    .input(withId)
    .output(checked(messageResponse))
    .mutation(async ({ ctx, input }) => {
      await removeQuickReply(ctx.deps, input.id)
      return { message: 'Quick reply removed' }
    }),
  fillQuickReply: adminProcedure
    .meta({
      summary: 'A quick reply with the facts of an application; writes nothing',
      rest: ['POST /api/message/admin/quick-replies/{id}/fill'],
      stepUp: 'never',
    })
    .input(withApplication.and(withId))
    .output(checked(z.strictObject({ text: z.string(), missing: z.array(z.string()) })))
    .mutation(({ ctx, input }) => fillQuickReply(ctx.deps, ctx.actor, input.id, input.applicationId)),
})
