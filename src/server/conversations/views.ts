import { z } from 'zod'
import { recordIds, wireDate, wireMoment } from '../../domain/common/wire.ts'
import { sides, threadFilters } from '../../domain/conversations/message.ts'

export const messageFileView = z.strictObject({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
})
export type MessageFileView = z.infer<typeof messageFileView>

export const messageView = z
  .strictObject({
    ...recordIds,
    number: z.int(),
    side: z.enum(sides),
    via: z.enum(['site', 'link', 'noted']),
    body: z.string(),
    files: z.array(messageFileView),
    createdAt: wireMoment,
    /** When what the owner noted was said. */
    saidAt: wireMoment.nullable(),
  })
  .meta({ id: 'Message' })
export type MessageView = z.infer<typeof messageView>

export const threadView = z.strictObject({
  applicationId: z.string(),
  applicationNumber: z.string(),
  tenantName: z.string(),
  /** Oldest first. */
  messages: z.array(messageView),
  hasMore: z.boolean(),
  /** The caller's side. */
  unread: z.int(),
  lastRead: z.int(),
  waiting: z.boolean(),
  canWrite: z.boolean(),
  /** Why nobody can write any more. */
  closed: z.string().nullable(),
})
export type ThreadView = z.infer<typeof threadView>

export const unreadView = z.strictObject({
  unread: z.int(),
  threads: z.array(z.strictObject({ applicationId: z.string(), unread: z.int(), waiting: z.boolean() })),
})

export const sentView = z.strictObject({ message: messageView, unread: z.int() })

export const threadsView = z.strictObject({
  threads: z.array(
    z.strictObject({
      applicationId: z.string(),
      applicationNumber: z.string(),
      tenantName: z.string(),
      status: z.string(),
      startDate: wireDate,
      endDate: wireDate,
      unread: z.int(),
      waiting: z.boolean(),
      waitingSince: wireMoment.nullable(),
      last: z.strictObject({ number: z.int(), side: z.enum(sides), text: z.string(), at: wireMoment }),
      /** The newest message with the searched words. */
      found: z.strictObject({ number: z.int(), text: z.string() }).nullable(),
    }),
  ),
  counts: z.strictObject(
    Object.fromEntries(threadFilters.map(filter => [filter, z.int()])) as Record<
      (typeof threadFilters)[number],
      z.ZodInt
    >,
  ),
  /** How many threads there are in all of these pages. */
  total: z.int(),
})
export type ThreadsView = z.infer<typeof threadsView>

export const openedView = z.strictObject({
  messages: z.array(messageView.omit({ files: true }).extend({ fileCount: z.int() })),
  applicationNumber: z.string(),
  propertyName: z.string(),
  firstName: z.string(),
  canWrite: z.boolean(),
})

export const quickReplyView = z.strictObject({
  ...recordIds,
  title: z.string(),
  body: z.string(),
  position: z.int(),
})
