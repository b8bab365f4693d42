import { sql } from 'drizzle-orm'
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { signedByKinds } from '../../src/domain/leases/lease.ts'
import { planChoices } from '../../src/domain/money/payment-plan.ts'
import { applications } from './applications.ts'
import { files } from './kernel.ts'

/**
 * One row for each document that is binding once signed. Terms and text are stored as generated; the text is evidence
 * and never changes after the signature. Deleting a document voids it and keeps the row.
 */
export const leases = sqliteTable(
  'leases',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    kind: text({ enum: ['lease', 'addendum'] }).notNull(),
    /** Starts at 1 for each kind of document of an application; never reused. */
    number: integer().notNull(),
    startDate: text('start_date').notNull(),
    endDate: text('end_date').notNull(),
    rentCents: integer('rent_cents').notNull(),
    depositCents: integer('deposit_cents').notNull(),
    text: text().notNull(),
    textSha256: text('text_sha256').notNull(),
    /** Version of the lease wording that the text was generated from; 0 is the shipped wording. */
    wordingVersion: integer('wording_version').notNull().default(0),
    /** The payment plan chosen for this lease; null uses the configured plan. */
    planChoice: text('plan_choice', { enum: planChoices }),
    generatedAt: text('generated_at').notNull(),
    signedAt: text('signed_at'),
    /** When this agreement was first signed, if that signature was removed; see `dueSince`. */
    firstSignedAt: text('first_signed_at'),
    /** Signed in the app, or by an uploaded scan. */
    signedBy: text('signed_by', { enum: signedByKinds }),
    fileId: text('file_id').references(() => files.id),
    voidedAt: text('voided_at'),
  },
  t => [
    uniqueIndex('leases_number').on(t.applicationId, t.kind, t.number),
    uniqueIndex('leases_in_force').on(t.applicationId).where(sql`kind = 'lease' and voided_at is null`),
    uniqueIndex('leases_open_addendum')
      .on(t.applicationId)
      .where(sql`kind = 'addendum' and signed_at is null and voided_at is null`),
  ],
)
