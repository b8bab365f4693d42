import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { type ArrivalSection, arrivalSectionNames } from '../../src/domain/arrival/arrival.ts'

/** The owner's words for guests who arrive, one row per version of a section; the newest counts. */
export const arrivalSections = sqliteTable(
  'arrival_sections',
  {
    section: text({ enum: arrivalSectionNames as [ArrivalSection, ...ArrivalSection[]] }).notNull(),
    /** Starts at 1. */
    version: integer().notNull(),
    body: text({ mode: 'json' }).$type<unknown>().notNull(),
    /** The Wi-Fi password, encrypted with the installation's key and bound to `wifi:{version}`. */
    passwordEnc: text('password_enc'),
    at: text().notNull(),
    actorId: text('actor_id').notNull(),
  },
  t => [primaryKey({ columns: [t.section, t.version] })],
)

/** Codes of the locks in the section `entry`. A code that is not retired is live. */
export const lockCodes = sqliteTable(
  'lock_codes',
  {
    id: text().primaryKey(),
    lockId: text('lock_id').notNull(),
    lockName: text('lock_name').notNull(),
    /** Empty for a standing code. */
    applicationId: text('application_id').notNull(),
    /** Encrypted with the installation's key and bound to this row. */
    codeEnc: text('code_enc').notNull(),
    madeAt: text('made_at').notNull(),
    /** When the owner set it at the lock; guests see it from then on. */
    setAt: text('set_at'),
    firstShownAt: text('first_shown_at'),
    retiredAt: text('retired_at'),
    /** When the owner took it off the lock. */
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('lock_codes_live').on(t.lockId, t.applicationId).where(sql`retired_at is null`)],
)

/** Links for the others of a group; `access_links` has their time, and their end when they are removed. */
export const stayLinks = sqliteTable(
  'stay_links',
  {
    /** The subject of the access link. */
    id: text().primaryKey(),
    applicationId: text('application_id').notNull(),
    /** As the tenant calls whom it is for. */
    name: text().notNull(),
    withCode: integer('with_code', { mode: 'boolean' }).notNull(),
  },
  t => [index('stay_links_application').on(t.applicationId)],
)

/** When a stay's arrival information opened, and what the owner decided about it. */
export const stayGates = sqliteTable('stay_gates', {
  applicationId: text('application_id').primaryKey(),
  /** Null again when it closes before check-in. */
  openedAt: text('opened_at'),
  hold: text({ enum: ['open', 'closed'] }),
  holdReason: text('hold_reason'),
  holdAt: text('hold_at'),
})
