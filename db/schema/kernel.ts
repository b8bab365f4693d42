import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { actorRoles } from '../../src/domain/accounts/access.ts'

export type EventDetail = Record<string, string | number | boolean | null>

/** Last used number of each sequence, such as `APP-2026`. */
export const sequences = sqliteTable('sequences', {
  name: text().primaryKey(),
  lastValue: integer('last_value').notNull(),
})

/** Stored files. A row exists only after its file is on disk; removal only marks the row. */
export const files = sqliteTable(
  'files',
  {
    id: text().primaryKey(),
    /** Random name in the uploads folder. */
    storageName: text('storage_name').notNull(),
    originalName: text('original_name').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text().notNull(),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
    /** Set when a read finds bytes that differ from those stored. */
    damagedAt: text('damaged_at'),
  },
  t => [index('files_damaged').on(t.damagedAt).where(sql`damaged_at is not null`)],
)

/** The audit log. Rows whose kind begins with `lease.` are the lease history of an application. */
export const events = sqliteTable(
  'events',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: text().notNull(),
    kind: text().notNull(),
    subjectId: text('subject_id').notNull(),
    actorId: text('actor_id'),
    actorRole: text('actor_role', { enum: actorRoles }).notNull(),
    address: text(),
    userAgent: text('user_agent'),
    detail: text({ mode: 'json' }).$type<EventDetail>().notNull(),
  },
  t => [
    index('events_subject').on(t.subjectId, t.id),
    index('events_at').on(t.at),
    index('events_subject_kind').on(t.subjectId, t.kind, t.at),
  ],
)

/** Facts about this installation, such as the demo mark or the last backup. */
export const installationFacts = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
})
