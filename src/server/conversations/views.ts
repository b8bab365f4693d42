import { z } from 'zod'
import { recordIds, wireDate, wireMoment } from '../../domain/common/wire.ts'
import { sides } from '../../domain/conversations/message.ts'

export const messageFileView = z.strictObject({
  id: z.string(),
  name: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
})
export type MessageFileView = z.infer<typeof messageFileView>

/** `saidAt`: when what the owner noted was said. */
export const messageView = z.strictObject({
  ...recordIds,
  number: z.int(),
  side: z.enum(sides),
  via: z.enum(['site', 'link', 'noted']),
  body: z.string(),
  createdAt: wireMoment,
  saidAt: wireMoment.nullable(),
  files: z.array(messageFileView),
})
export type MessageView = z.infer<typeof messageView>

const ofApplication = { applicationId: z.string(), applicationNumber: z.string(), tenantName: z.string() }

/** Messages are oldest first; `unread` and `lastRead` are of the caller's side. */
export const threadView = z.strictObject({
  ...ofApplication,
  messages: z.array(messageView),
  hasMore: z.boolean(),
  unread: z.int(),
  lastRead: z.int(),
  waiting: z.boolean(),
  canWrite: z.boolean(),
  closed: z.string().nullable(),
})
export type ThreadView = z.infer<typeof threadView>

export const unreadView = z.strictObject({
  unread: z.int(),
  threads: z.array(z.strictObject({ applicationId: z.string(), unread: z.int(), waiting: z.boolean() })),
})

/** `found`: the newest message with the searched words. */
export const threadsView = z.strictObject({
  threads: z.array(
    z.strictObject({
      ...ofApplication,
      status: z.string(),
      startDate: wireDate,
      endDate: wireDate,
      unread: z.int(),
      waiting: z.boolean(),
      waitingSince: wireMoment.nullable(),
      last: z.strictObject({ number: z.int(), side: z.enum(sides), text: z.string(), at: wireMoment }),
      found: z.strictObject({ number: z.int(), text: z.string() }).nullable(),
    }),
  ),
  counts: z.strictObject({ waiting: z.int(), unread: z.int(), all: z.int() }),
})
export type ThreadsView = z.infer<typeof threadsView>

export const openedView = z.strictObject({
  messages: z.array(messageView.omit({ files: true }).extend({ fileCount: z.int() })),
  applicationNumber: z.string(),
  propertyName: z.string(),
  firstName: z.string(),
  canWrite: z.boolean(),
})
