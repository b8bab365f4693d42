import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { applicationStatuses, bookedStatuses } from '../../src/domain/bookings/application-status.ts'
import { bookingSources } from '../../src/domain/bookings/booking-source.ts'
import { users } from './accounts.ts'

type GuestColumn = { firstName: string; lastName: string; isAdult: boolean }

/** Condition for booked applications. A literal, not a bound parameter, so that SQLite can use the partial index. */
export const bookedCondition = `deleted_at is null and status in (${bookedStatuses.map(status => `'${status}'`).join(', ')})`
export const isBookedRow = sql.raw(bookedCondition)

export const applications = sqliteTable(
  'applications',
  {
    id: text().primaryKey(),
    number: text().notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    status: text({ enum: applicationStatuses }).notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text().notNull(),
    phone: text().notNull(),
    secondApplicantFirstName: text('second_applicant_first_name').notNull().default(''),
    secondApplicantLastName: text('second_applicant_last_name').notNull().default(''),
    street: text().notNull(),
    city: text().notNull(),
    state: text().notNull(),
    zipCode: text('zip_code').notNull(),
    requestedStartDate: text('requested_start_date').notNull(),
    requestedEndDate: text('requested_end_date').notNull(),
    additionalGuests: text('additional_guests', { mode: 'json' }).$type<GuestColumn[]>().notNull(),
    notes: text().notNull().default(''),
    /** What the guest wrote with the application. */
    guestNote: text('guest_note').notNull().default(''),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    submittedAt: text('submitted_at'),
    deletedAt: text('deleted_at'),
    // The terms of the lease if there is one, else the requested dates and the amounts entered by the admin.
    stayStartDate: text('stay_start_date').notNull(),
    stayEndDate: text('stay_end_date').notNull(),
    rentCents: integer('rent_cents'),
    depositCents: integer('deposit_cents'),
    /** Idempotency key of a submit: submitting twice creates one application. */
    requestId: text('request_id'),
    /** Sort key of the admin's table: the sum of the charges that are not voided. */
    totalCents: integer('total_cents').notNull().default(0),
    source: text({ enum: bookingSources }).notNull().default('tenant'),
    /** The owner's note on a booking that the owner entered. */
    sourceNote: text('source_note').notNull().default(''),
    /** Entered for an e-mail whose mailbox was not proven: closed to the account until it is. */
    awaitsMailbox: integer('awaits_mailbox', { mode: 'boolean' }).notNull().default(false),
  },
  t => [
    uniqueIndex('applications_number').on(t.number),
    uniqueIndex('applications_request').on(t.userId, t.requestId),
    index('applications_user').on(t.userId, t.createdAt),
    // The rows of the admin's table. The last columns of the second index let SQLite count without reading the table.
    index('applications_listed_created')
      .on(t.createdAt)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_listed_status')
      .on(t.status, t.createdAt, t.deletedAt, t.submittedAt)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_listed_first_name')
      .on(sql`first_name collate nocase`)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_listed_total')
      .on(t.totalCents)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_listed_status_first_name')
      .on(t.status, sql`first_name collate nocase`)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_listed_status_total')
      .on(t.status, t.totalCents)
      .where(sql`deleted_at is null and submitted_at is not null`),
    index('applications_booked').on(t.stayEndDate).where(isBookedRow),
  ],
)

/** Stored responses for entered or imported bookings, by idempotency key. */
export const entryRequests = sqliteTable('entry_requests', {
  requestId: text('request_id').primaryKey(),
  answer: text({ mode: 'json' }).$type<unknown>().notNull(),
  at: text().notNull(),
})
