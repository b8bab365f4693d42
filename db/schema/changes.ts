import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import {
  type CancellationTier,
  cancellationSides,
  cancellationStates,
} from '../../src/domain/bookings/cancellation.ts'
import {
  claimEnds,
  claimKinds,
  claimStates,
  priceSources,
  promisePlatforms,
} from '../../src/domain/bookings/claim.ts'
import type { EventKind } from '../../src/domain/calendars/calendar-event.ts'
import { type AddendumTerms, addendumEnds } from '../../src/domain/leases/addendum.ts'
import { signerRoles, signingStates } from '../../src/domain/leases/signing.ts'
import type { FeeTerm } from '../../src/domain/money/charge.ts'
import { users } from './accounts.ts'
import { applications } from './applications.ts'
import { files } from './kernel.ts'
import { leases } from './leases.ts'

const applicationId = () =>
  text('application_id')
    .notNull()
    .references(() => applications.id)

/** A tenant's wish to cancel, or a stay that was cancelled, with the policy of that moment. */
export const cancellations = sqliteTable(
  'cancellations',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    state: text({ enum: cancellationStates }).notNull(),
    side: text({ enum: cancellationSides }).notNull(),
    reason: text().notNull(),
    requestedAt: text('requested_at'),
    requestedBy: text('requested_by').references(() => users.id),
    /** The day that the policy counts from. */
    receivedOn: text('received_on').notNull(),
    decidedAt: text('decided_at'),
    decidedBy: text('decided_by').references(() => users.id),
    note: text().notNull().default(''),
    policy: text({ mode: 'json' }).$type<CancellationTier[]>().notNull(),
    /** Null until it is decided. */
    paidCents: integer('paid_cents'),
    refundCents: integer('refund_cents'),
    keptCents: integer('kept_cents'),
    /** When the stay was booked again: from `decidedAt` to then the books have it as cancelled. */
    reinstatedAt: text('reinstated_at'),
  },
  t => [
    index('cancellations_application').on(t.applicationId),
    uniqueIndex('cancellations_requested').on(t.applicationId).where(sql`state = 'requested'`),
    uniqueIndex('cancellations_cancelled').on(t.applicationId).where(sql`state = 'cancelled'`),
  ],
)

/** What the owner accepted of an event of another calendar. */
type AcceptedEvent = { eventId: string; kind: EventKind; start: string; end: string }

/** What an addendum changes; its document is the row of `leases`. */
export const addenda = sqliteTable('addenda', {
  leaseId: text('lease_id')
    .primaryKey()
    .references(() => leases.id),
  /** The terms in force when it was made. */
  before: text({ mode: 'json' }).$type<AddendumTerms>().notNull(),
  lines: text({ mode: 'json' }).$type<unknown>().notNull(),
  /** Events of other calendars that the owner accepted. */
  overrideCalendar: text('override_calendar', { mode: 'json' }).$type<AcceptedEvent[]>().notNull(),
  /** The last day on which it can be signed. */
  validUntil: text('valid_until').notNull(),
  closed: text({ enum: addendumEnds }),
  closedAt: text('closed_at'),
  reason: text().notNull().default(''),
  note: text().notNull().default(''),
  createdBy: text('created_by').references(() => users.id),
})

/** Nights that are kept for somebody until a deadline, or until the claim ends. */
export const claims = sqliteTable(
  'claims',
  {
    id: text().primaryKey(),
    kind: text({ enum: claimKinds }).notNull(),
    state: text({ enum: claimStates }).notNull(),
    startDate: text('start_date').notNull(),
    endDate: text('end_date').notNull(),
    /** The first moment at which it is not live any more. */
    untilAt: text('until_at').notNull(),
    endedAt: text('ended_at'),
    endedAs: text('ended_as', { enum: claimEnds }),
    /** The booking that it comes from. */
    applicationId: text('application_id').references(() => applications.id),
    /** The addendum. */
    leaseId: text('lease_id').references(() => leases.id),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by').references(() => users.id),
    version: integer().notNull().default(1),
    /** A promise's own date, also while an answer is awaited. */
    lastDate: text('last_date'),
    /** The owner asked for the answer, so that it is awaited also if nobody else asks any more. */
    askedByOwner: integer('asked_by_owner', { mode: 'boolean' }).notNull().default(false),
    /** The booking that it became. */
    acceptedApplicationId: text('accepted_application_id').references(() => applications.id),
    /** The person, by account where it comes from a booking. */
    userId: text('user_id').references(() => users.id),
    email: text().notNull().default(''),
    emailKey: text('email_key').notNull().default(''),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    /** Events of other calendars that the owner accepted when making it. */
    overrideEvents: text('override_events', { mode: 'json' }).$type<AcceptedEvent[]>(),
  },
  t => [
    index('claims_not_ended').on(t.endDate).where(sql`ended_at is null`),
    index('claims_application').on(t.applicationId),
    index('claims_lease').on(t.leaseId),
    index('claims_email').on(t.emailKey).where(sql`ended_at is null`),
    index('claims_accepted').on(t.acceptedApplicationId),
  ],
)

/** What an offer or a promise offers, and how it was answered. */
export const claimTerms = sqliteTable('claim_terms', {
  claimId: text('claim_id')
    .primaryKey()
    .references(() => claims.id),
  guests: integer().notNull(),
  rentCents: integer('rent_cents').notNull(),
  depositCents: integer('deposit_cents').notNull(),
  /** Fees and discounts as they were offered; those without a rule are lines of this offer alone. */
  fees: text({ mode: 'json' }).$type<FeeTerm[]>().notNull(),
  priceFrom: text('price_from', { enum: priceSources }).notNull(),
  message: text().notNull().default(''),
  secureDays: integer('secure_days').notNull(),
  answerDays: integer('answer_days').notNull(),
  platforms: text({ enum: promisePlatforms }).notNull().default('closed'),
  /** Counts what was mailed about it: a mail of an earlier round is not true any more. */
  round: integer().notNull().default(1),
  openedAt: text('opened_at'),
  acceptedAt: text('accepted_at'),
  typedName: text('typed_name'),
  /** Without the deposit. */
  totalCents: integer('total_cents'),
})

/** A document that everybody signs by an own link. */
export const signings = sqliteTable(
  'signings',
  {
    id: text().primaryKey(),
    leaseId: text('lease_id')
      .notNull()
      .references(() => leases.id),
    state: text({ enum: signingStates }).notNull(),
    openedAt: text('opened_at').notNull(),
    openedBy: text('opened_by').references(() => users.id),
    closedAt: text('closed_at'),
    reason: text().notNull().default(''),
  },
  t => [
    index('signings_lease').on(t.leaseId),
    uniqueIndex('signings_open').on(t.leaseId).where(sql`state = 'open'`),
  ],
)

/** A signer with the signature, which is never overwritten. */
export const signers = sqliteTable(
  'signers',
  {
    id: text().primaryKey(),
    signingId: text('signing_id')
      .notNull()
      .references(() => signings.id),
    role: text({ enum: signerRoles }).notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text().notNull(),
    position: integer().notNull(),
    invitedAt: text('invited_at').notNull(),
    openedAt: text('opened_at'),
    declinedAt: text('declined_at'),
    declineReason: text('decline_reason'),
    removedAt: text('removed_at'),
    signedAt: text('signed_at'),
    mode: text({ enum: ['type', 'draw'] }),
    typedName: text('typed_name'),
    imageFileId: text('image_file_id').references(() => files.id),
    textSha256: text('text_sha256'),
    noticeSha256: text('notice_sha256'),
    consentVersion: text('consent_version'),
    address: text(),
    userAgent: text('user_agent'),
  },
  t => [uniqueIndex('signers_position').on(t.signingId, t.position)],
)
