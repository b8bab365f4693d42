import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Outgoing mail, stored in the transaction that causes it and rendered at delivery. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    /** A second mail with the same key is not stored. */
    dedupeKey: text('dedupe_key').notNull(),
    /** The template and its data. */
    kind: text().notNull(),
    props: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    /** The application that the mail is about; null for other mails. */
    applicationId: text('application_id'),
    toAddress: text('to_address').notNull(),
    replyTo: text('reply_to'),
    createdAt: text('created_at').notNull(),
    /** `held`: a restore asks the owner first. `withdrawn`: the content was no longer true at delivery time; the data is blanked. */
    status: text({ enum: ['queued', 'held', 'sent', 'failed', 'withdrawn'] }).notNull(),
    /** End of the mail's validity; null for no end. */
    validUntil: text('valid_until'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: text('next_attempt_at').notNull(),
    lastError: text('last_error'),
    sentAt: text('sent_at'),
    /** What was sent, as plain text; null before that, and for a mail with a link or a code. */
    subject: text(),
    words: text(),
  },
  t => [
    uniqueIndex('outbox_dedupe').on(t.dedupeKey),
    index('outbox_due').on(t.status, t.nextAttemptAt),
    index('outbox_application').on(t.applicationId),
  ],
)

/** Critical notices that were mailed to the owner; the row is deleted together with its notice. */
export const mailedNotices = sqliteTable('mailed_notices', {
  noticeId: text('notice_id').primaryKey(),
  at: text().notNull(),
})
