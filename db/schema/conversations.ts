import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { reviewNames, reviewStates } from '../../src/domain/arrival/guest-review.ts'
import { sides } from '../../src/domain/conversations/message.ts'
import { users } from './accounts.ts'
import { applications } from './applications.ts'
import { files } from './kernel.ts'

const applicationId = () =>
  text('application_id')
    .notNull()
    .references(() => applications.id)

/** How far each side has read and been mailed, by number; a row from the first message on. */
export const messageThreads = sqliteTable('message_threads', {
  applicationId: applicationId().primaryKey(),
  tenantRead: integer('tenant_read').notNull().default(0),
  ownerRead: integer('owner_read').notNull().default(0),
  tenantMailed: integer('tenant_mailed').notNull().default(0),
  ownerMailed: integer('owner_mailed').notNull().default(0),
  /** The owner needs to answer nothing up to this number. */
  answered: integer().notNull().default(0),
})

/** Messages between a tenant and the owner. Nobody changes or deletes one. */
export const messages = sqliteTable(
  'messages',
  {
    applicationId: applicationId(),
    /** From 1, in the order of storing. */
    number: integer().notNull(),
    side: text({ enum: sides }).notNull(),
    /** `noted`: the owner noted what came by mail or phone. */
    via: text({ enum: ['site', 'link', 'noted'] }).notNull(),
    authorId: text('author_id')
      .notNull()
      .references(() => users.id),
    /** The reply link that it came by. */
    linkId: text('link_id'),
    requestId: text('request_id').notNull(),
    createdAt: text('created_at').notNull(),
    /** When what the owner noted was said. */
    saidAt: text('said_at'),
    id: text().notNull(),
    body: text().notNull(),
  },
  t => [
    primaryKey({ columns: [t.applicationId, t.number] }),
    uniqueIndex('messages_request').on(t.applicationId, t.requestId),
    index('messages_link').on(t.linkId),
    index('messages_side').on(t.applicationId, t.side, t.number),
  ],
)

/** Files of messages; without a message until it is sent. */
export const messageFiles = sqliteTable(
  'message_files',
  {
    fileId: text('file_id')
      .primaryKey()
      .references(() => files.id),
    applicationId: applicationId(),
    uploadedBy: text('uploaded_by')
      .notNull()
      .references(() => users.id),
    /** The number of its message. */
    number: integer(),
    position: integer().notNull().default(0),
    createdAt: text('created_at').notNull(),
  },
  t => [index('message_files_message').on(t.applicationId, t.number)],
)

/** One review a stay, by its guest. */
export const reviews = sqliteTable(
  'reviews',
  {
    applicationId: applicationId().primaryKey(),
    rating: integer().notNull(),
    title: text().notNull(),
    text: text().notNull(),
    name: text({ enum: reviewNames }).notNull(),
    state: text({ enum: reviewStates }).notNull(),
    /** Optimistic lock. */
    version: integer().notNull(),
    createdAt: text('created_at').notNull(),
    editedAt: text('edited_at'),
    /** The first publication; stays when it is hidden or withdrawn. */
    publishedAt: text('published_at'),
    hiddenReason: text('hidden_reason'),
    hiddenAt: text('hidden_at'),
    reply: text(),
    replyAt: text('reply_at'),
  },
  t => [index('reviews_state').on(t.state, t.createdAt)],
)
