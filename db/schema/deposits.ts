import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { deliveries, itemCategories, type StatementItem } from '../../src/domain/money/deposit-case.ts'
import { legCauses, legKinds, legStates, legWays } from '../../src/domain/money/return-plan.ts'
import { applications } from './applications.ts'
import { files } from './kernel.ts'
import { payments, taxRules } from './money.ts'

const applicationId = () =>
  text('application_id')
    .notNull()
    .references(() => applications.id)

/** How long after a stay a deposit must go back or be claimed. A rule never changes. */
export const depositRules = sqliteTable('deposit_rules', {
  id: text().primaryKey(),
  name: text().notNull(),
  returnDays: integer('return_days').notNull(),
  claimDays: integer('claim_days').notNull(),
  objectionDays: integer('objection_days').notNull(),
  restDays: integer('rest_days').notNull(),
  delivery: text({ enum: deliveries }).notNull(),
  noticeText: text('notice_text').notNull(),
  preset: integer({ mode: 'boolean' }).notNull(),
  createdAt: text('created_at').notNull(),
  archivedAt: text('archived_at'),
})

/** What is kept about a deposit beside its money; no row until something is entered or the tenant has left. */
export const depositCases = sqliteTable('deposit_cases', {
  applicationId: text('application_id')
    .primaryKey()
    .references(() => applications.id),
  /** Null follows the usual rule. */
  ruleId: text('rule_id').references(() => depositRules.id),
  /** Entered by the owner; null is the last day of the stay. */
  vacatedOn: text('vacated_on'),
  closedAt: text('closed_at'),
})

/** What the owner claims of a deposit. */
export const depositItems = sqliteTable(
  'deposit_items',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    category: text({ enum: itemCategories }).notNull(),
    label: text().notNull(),
    amountCents: integer('amount_cents').notNull(),
    createdAt: text('created_at').notNull(),
    keptAt: text('kept_at'),
    /** The deduction that kept it. */
    paymentId: text('payment_id').references(() => payments.id),
    voidedAt: text('voided_at'),
  },
  t => [index('deposit_items_application').on(t.applicationId)],
)

/** A letter printed before it has a tracking number. */
export const depositLetters = sqliteTable(
  'deposit_letters',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    number: integer().notNull(),
    address: text().notNull(),
    items: text({ mode: 'json' }).$type<StatementItem[]>().notNull(),
    claimedCents: integer('claimed_cents').notNull(),
    fileId: text('file_id')
      .notNull()
      .references(() => files.id),
    sha256: text().notNull(),
    requestId: text('request_id').notNull(),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by').notNull(),
    sentStatementId: text('sent_statement_id'),
    voidedAt: text('voided_at'),
  },
  t => [
    uniqueIndex('deposit_letters_number').on(t.applicationId, t.number),
    uniqueIndex('deposit_letters_request').on(t.applicationId, t.requestId),
  ],
)

/** The statement that was sent to the tenant, with its items as they were. */
export const depositStatements = sqliteTable(
  'deposit_statements',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    number: integer().notNull(),
    letterId: text('letter_id').references(() => depositLetters.id),
    fileId: text('file_id')
      .notNull()
      .references(() => files.id),
    sha256: text().notNull(),
    items: text({ mode: 'json' }).$type<StatementItem[]>().notNull(),
    claimedCents: integer('claimed_cents').notNull(),
    how: text({ enum: deliveries }).notNull(),
    trackingNumber: text('tracking_number').notNull(),
    sentOn: text('sent_on').notNull(),
    objectionUntil: text('objection_until').notNull(),
    objectedAt: text('objected_at'),
    objection: text(),
    agreedAt: text('agreed_at'),
    requestId: text('request_id').notNull(),
    createdAt: text('created_at').notNull(),
  },
  t => [
    uniqueIndex('deposit_statements_number').on(t.applicationId, t.number),
    uniqueIndex('deposit_statements_request').on(t.applicationId, t.requestId),
  ],
)

/**
 * Money on its way back to a tenant, one row per way. A leg at the provider has one row of `refunds` per attempt, with
 * the id `leg-{leg}-{attempt}`, until the provider's own refund is known.
 */
export const returnLegs = sqliteTable(
  'return_legs',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    cause: text({ enum: legCauses }).notNull(),
    /** The request, or the cancellation, that the leg belongs to. */
    causeId: text('cause_id').notNull(),
    position: integer().notNull(),
    /** What is refunded; null by hand. */
    paymentId: text('payment_id').references(() => payments.id),
    kind: text({ enum: legKinds }).notNull(),
    by: text({ enum: legWays }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull(),
    totalCents: integer('total_cents').notNull(),
    state: text({ enum: legStates }).notNull(),
    attempts: integer().notNull(),
    error: text(),
    /** The provider's refund. */
    refundId: text('refund_id'),
    /** The ledger row of a leg by hand. */
    rowId: text('row_id').references(() => payments.id),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  t => [
    uniqueIndex('return_legs_cause').on(t.cause, t.causeId, t.position),
    index('return_legs_application').on(t.applicationId),
    index('return_legs_under_way').on(t.state).where(sql`state in ('waiting', 'sent')`),
  ],
)

/** Taxes that the owner paid over to their authority. */
export const taxRemittances = sqliteTable('tax_remittances', {
  id: text().primaryKey(),
  taxRuleId: text('tax_rule_id')
    .notNull()
    .references(() => taxRules.id),
  amountCents: integer('amount_cents').notNull(),
  paidOn: text('paid_on').notNull(),
  reference: text().notNull(),
  requestId: text('request_id').notNull().unique(),
  createdAt: text('created_at').notNull(),
  createdBy: text('created_by').notNull(),
  voidedAt: text('voided_at'),
})

/** The tables of a year as they were when the owner closed it. */
export const bookClosings = sqliteTable(
  'book_closings',
  {
    id: text().primaryKey(),
    year: integer().notNull(),
    version: integer().notNull(),
    closedAt: text('closed_at').notNull(),
    closedBy: text('closed_by').notNull(),
    totals: text({ mode: 'json' }).$type<unknown>().notNull(),
    sha256: text().notNull(),
  },
  t => [uniqueIndex('book_closings_version').on(t.year, t.version)],
)

/** What photos are evidence of. */
export const evidenceSubjects = ['deposit_item'] as const

/** When and from whom a file came, which nobody can change; the file is kept as it came. */
export const evidence = sqliteTable(
  'evidence',
  {
    id: text().primaryKey(),
    applicationId: applicationId(),
    subject: text({ enum: evidenceSubjects }).notNull(),
    subjectId: text('subject_id').notNull(),
    part: text().notNull().default(''),
    fileId: text('file_id')
      .notNull()
      .references(() => files.id),
    sha256: text().notNull(),
    receivedAt: text('received_at').notNull(),
    /** What the camera says, local time with its offset if it gives one; not checked. */
    takenAt: text('taken_at'),
    screen: text().notNull(),
    actorRole: text('actor_role').notNull(),
    actorId: text('actor_id').notNull(),
    address: text().notNull(),
    userAgent: text('user_agent').notNull(),
    clockDoubtful: integer('clock_doubtful', { mode: 'boolean' }).notNull(),
    requestId: text('request_id').notNull(),
    removedAt: text('removed_at'),
    removedBy: text('removed_by'),
  },
  t => [
    uniqueIndex('evidence_request').on(t.subject, t.subjectId, t.requestId),
    index('evidence_application').on(t.applicationId),
  ],
)
