import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { actorRoles } from '../src/domain/access.ts'
import { roles } from '../src/domain/account-rules.ts'
import { applicationStatuses, bookedStatuses } from '../src/domain/application-status.ts'
import { bookingSources } from '../src/domain/booking-source.ts'
import { calendarProviders, eventKinds, feedModes } from '../src/domain/calendar-event.ts'
import { exportScopes } from '../src/domain/calendar-feed.ts'
import { chargeKinds, chargeSources, feeKinds, feeUnits } from '../src/domain/charge.ts'
import { type SectionName, sectionNames } from '../src/domain/content.ts'
import { factorKinds } from '../src/domain/factor.ts'
import { signedByKinds } from '../src/domain/lease.ts'
import { paymentMethods, paymentStatuses, paymentTypes, providerMethods } from '../src/domain/ledger.ts'
import { instalmentKinds, type LateFee } from '../src/domain/payment-plan.ts'
import { planChoices, planKinds } from '../src/domain/payment-plan-kinds.ts'
import type { PictureCut } from '../src/domain/picture.ts'
import { wordingKinds } from '../src/domain/wording.ts'

// Moments are UTC ISO texts, calendar dates YYYY-MM-DD, money integer cents. No foreign key cascades.

type GuestColumn = { firstName: string; lastName: string; isAdult: boolean }
export type EventDetail = Record<string, string | number | boolean | null>

/** Booked applications. Literal, not bound, so that SQLite can use the partial index. */
export const bookedCondition = `deleted_at is null and status in (${bookedStatuses.map(status => `'${status}'`).join(', ')})`
export const isBookedRow = sql.raw(bookedCondition)

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The e-mail in lower case: what makes an account unique. */
    emailKey: text('email_key').notNull(),
    /** Null until an invited guest has set one. */
    passwordHash: text('password_hash'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    phone: text().notNull().default(''),
    role: text({ enum: roles }).notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  t => [uniqueIndex('users_email_key').on(t.emailKey)],
)

export const sessions = sqliteTable(
  'sessions',
  {
    /** SHA-256 of the bearer token, in hex. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: text('created_at').notNull(),
    lastUsedAt: text('last_used_at').notNull(),
    /** The id in the person's list of sessions; it is not a credential. */
    publicId: text('public_id').notNull().default(''),
    /** The last code, passkey or recovery code. */
    factorAt: text('factor_at'),
    /** The last proof of whatever kind. */
    stepUpAt: text('step_up_at'),
    /** Wrong proofs since the last right one. */
    stepUpTries: integer('step_up_tries').notNull().default(0),
    /** Where it began. */
    address: text(),
    userAgent: text('user_agent'),
    /** Ended by the person or with the account's e-mail; the row stays so that its next request is answered so. */
    endedAt: text('ended_at'),
  },
  t => [index('sessions_user').on(t.userId), uniqueIndex('sessions_public_id').on(t.publicId)],
)

/** What protects an account besides its password. One without `confirmedAt` does not count yet. */
export const userFactors = sqliteTable(
  'user_factors',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text({ enum: factorKinds }).notNull(),
    label: text().notNull(),
    /** The secret of an authenticator app, sealed with the installation's key for this row. */
    secretEnc: text('secret_enc'),
    /** The time step of the last accepted code; codes of this and earlier steps are refused. */
    lastStep: integer('last_step'),
    /** Of a passkey, in base64url. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    counter: integer(),
    /** Whether the passkey is kept beyond its device. */
    backedUp: integer('backed_up', { mode: 'boolean' }),
    /** The host that the passkey was made for. */
    rpId: text('rp_id'),
    createdAt: text('created_at').notNull(),
    confirmedAt: text('confirmed_at'),
    lastUsedAt: text('last_used_at'),
  },
  t => [
    index('user_factors_user').on(t.userId),
    uniqueIndex('user_factors_totp').on(t.userId).where(sql`kind = 'totp'`),
    uniqueIndex('user_factors_credential').on(t.credentialId),
  ],
)

export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    codeSha256: text('code_sha256').notNull(),
    createdAt: text('created_at').notNull(),
    usedAt: text('used_at'),
  },
  t => [primaryKey({ columns: [t.userId, t.codeSha256] })],
)

/** What a browser has to answer: once, within minutes. */
export const loginChallenges = sqliteTable(
  'login_challenges',
  {
    /** SHA-256 of the token, in hex. */
    id: text().primaryKey(),
    /** The second step of a login, making a passkey, or using one. */
    kind: text({ enum: ['second_step', 'passkey_setup', 'passkey_use'] }).notNull(),
    /** Null where a passkey says who it is. */
    userId: text('user_id').references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    tries: integer().notNull().default(0),
    usedAt: text('used_at'),
  },
  t => [index('login_challenges_user').on(t.userId), index('login_challenges_expiry').on(t.expiresAt)],
)

/** Changes of an account's e-mail. One that is done and cancelled was undone. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    newEmail: text('new_email').notNull(),
    oldEmail: text('old_email').notNull(),
    /** Whether the contact address of the person's applications changes with it. */
    applicationsToo: integer('applications_too', { mode: 'boolean' }).notNull(),
    createdAt: text('created_at').notNull(),
    confirmedOldAt: text('confirmed_old_at'),
    confirmedNewAt: text('confirmed_new_at'),
    doneAt: text('done_at'),
    undoUntil: text('undo_until'),
    cancelledAt: text('cancelled_at'),
  },
  t => [index('email_changes_user').on(t.userId), index('email_changes_undo').on(t.undoUntil)],
)

export const passwordResets = sqliteTable(
  'password_resets',
  {
    /** SHA-256 of the token in the link, in hex. */
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    usedAt: text('used_at'),
  },
  t => [index('password_resets_user').on(t.userId)],
)

/** Last used number of each sequence, such as `APP-2026`. */
export const sequences = sqliteTable('sequences', {
  name: text().primaryKey(),
  lastValue: integer('last_value').notNull(),
})

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
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    submittedAt: text('submitted_at'),
    deletedAt: text('deleted_at'),
    // The lease's terms if there is a lease, else the requested dates and amounts entered by the admin.
    stayStartDate: text('stay_start_date').notNull(),
    stayEndDate: text('stay_end_date').notNull(),
    rentCents: integer('rent_cents'),
    depositCents: integer('deposit_cents'),
    /** Idempotency key of a submit: submitting twice creates one application. */
    requestId: text('request_id'),
    /** Sort key of the admin's table: the sum of the charges that are not voided. */
    totalCents: integer('total_cents').notNull().default(0),
    source: text({ enum: bookingSources }).notNull().default('tenant'),
    /** The owner's note on a booking that they entered. */
    sourceNote: text('source_note').notNull().default(''),
  },
  t => [
    uniqueIndex('applications_number').on(t.number),
    uniqueIndex('applications_request').on(t.userId, t.requestId),
    index('applications_user').on(t.userId, t.createdAt),
    // What the admin's table lists; the last columns of the second let SQLite count without reading the table.
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

/**
 * One row a document that binds both sides once it is signed. Terms and text are as generated; the text is evidence and
 * never changes after the signature. A deleted document is voided and stays.
 */
export const leases = sqliteTable(
  'leases',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    kind: text({ enum: ['lease', 'addendum'] }).notNull(),
    /** Rises from 1 for each kind of an application and is never given twice. */
    number: integer().notNull(),
    startDate: text('start_date').notNull(),
    endDate: text('end_date').notNull(),
    rentCents: integer('rent_cents').notNull(),
    depositCents: integer('deposit_cents').notNull(),
    text: text().notNull(),
    textSha256: text('text_sha256').notNull(),
    /** The version of the lease wording that it was generated from; 0 is the shipped one. */
    wordingVersion: integer('wording_version').notNull().default(0),
    /** The payment plan that was chosen for it; null is as set up. */
    planChoice: text('plan_choice', { enum: planChoices }),
    generatedAt: text('generated_at').notNull(),
    signedAt: text('signed_at'),
    /** How it was signed: in the app, or by an uploaded scan. */
    signedBy: text('signed_by', { enum: signedByKinds }),
    fileId: text('file_id').references(() => files.id),
    voidedAt: text('voided_at'),
  },
  t => [
    uniqueIndex('leases_number').on(t.applicationId, t.kind, t.number),
    uniqueIndex('leases_in_force').on(t.applicationId).where(sql`kind = 'lease' and voided_at is null`),
  ],
)

/**
 * What the search of the admin's table looks through: a row for each application in it. Written by triggers (`derived.ts`)
 * with the full-text index `application_fts`, of which `id` is the key; it rises in the order of arrival.
 */
export const applicationSearch = sqliteTable('application_search', {
  id: integer().primaryKey(),
  applicationId: text('application_id').notNull().unique(),
  content: text().notNull(),
  status: text().notNull(),
  // What a search is sorted by: thousands of rows are found here without a look at the applications.
  createdAt: text('created_at').notNull().default(''),
  firstName: text('first_name').notNull().default(''),
  totalCents: integer('total_cents').notNull().default(0),
})

/** Stored files. A row exists only after its file is on disk; removal sets aside, never erases. */
export const files = sqliteTable(
  'files',
  {
    id: text().primaryKey(),
    /** Random name below the uploads folder. */
    storageName: text('storage_name').notNull(),
    originalName: text('original_name').notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    sha256: text().notNull(),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
    /** Set when a read found other bytes than were stored. */
    damagedAt: text('damaged_at'),
  },
  t => [index('files_damaged').on(t.damagedAt).where(sql`damaged_at is not null`)],
)

/** The audit log; the lease trail of an application is its rows with a kind that begins with `lease.`. */
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

/**
 * The ledger. `amountCents` is what is credited to the tenant, without the card fee; negative on the paying side
 * of a transfer and for money given back by hand. A voided row stays for the audit log and counts nowhere.
 */
export const payments = sqliteTable(
  'payments',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    applicationId: text('application_id').references(() => applications.id),
    type: text({ enum: paymentTypes }).notNull(),
    method: text({ enum: paymentMethods }).notNull(),
    /** Of payments through the provider: what they are made with. */
    providerMethod: text('provider_method', { enum: providerMethods }),
    status: text({ enum: paymentStatuses }).notNull(),
    /** Why a bank payment failed or came back, as far as the bank said. */
    failureReason: text('failure_reason'),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull().default(0),
    refundedAmountCents: integer('refunded_amount_cents').notNull().default(0),
    refundedFeeCents: integer('refunded_fee_cents').notNull().default(0),
    /** The part of the refunded amount that was lost in disputes. */
    lostAmountCents: integer('lost_amount_cents').notNull().default(0),
    description: text().notNull().default(''),
    checkNumber: text('check_number').notNull().default(''),
    notes: text().notNull().default(''),
    createdAt: text('created_at').notNull(),
    paidAt: text('paid_at'),
    voidedAt: text('voided_at'),
    /** Both rows of a transfer carry the same id. */
    transferId: text('transfer_id'),
    checkoutSessionId: text('checkout_session_id'),
    checkoutUrl: text('checkout_url'),
    checkoutExpiresAt: text('checkout_expires_at'),
    /** How often opening the checkout failed: each attempt needs another idempotency key. */
    checkoutAttempt: integer('checkout_attempt').notNull().default(0),
    /** When it was canceled: its checkout must be closed, and a later payment is reported to the owner. */
    cancelRequestedAt: text('cancel_requested_at'),
    /** When the owner dismissed the notice that it was paid after cancellation. */
    unexpectedDismissedAt: text('unexpected_dismissed_at'),
    /** The deleted application that it was for. */
    formerApplicationId: text('former_application_id'),
    successUrl: text('success_url'),
    cancelUrl: text('cancel_url'),
    stripePaymentIntentId: text('stripe_payment_intent_id'),
    stripeChargeId: text('stripe_charge_id'),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    receiptUrl: text('receipt_url'),
    receiptQueuedAt: text('receipt_queued_at'),
    /** The month in whose revenue it is, by UTC; null for what is no revenue: `isRevenue` of the ledger in SQL. */
    revenueMonth: text('revenue_month').generatedAlwaysAs(
      sql`case when status = 'succeeded' and voided_at is null and method <> 'transfer' and type not in ('admin_transfer', 'deposit_transfer', 'deduction') then substr(paid_at, 1, 7) end`,
    ),
  },
  t => [
    index('payments_user').on(t.userId, t.createdAt),
    index('payments_application').on(t.applicationId, t.createdAt),
    index('payments_transfer').on(t.transferId),
    uniqueIndex('payments_checkout_session').on(t.checkoutSessionId),
    index('payments_payment_intent').on(t.stripePaymentIntentId),
    index('payments_voided').on(t.applicationId, t.userId).where(sql`voided_at is not null`),
    index('payments_open').on(t.status, t.createdAt).where(sql`status in ('pending', 'processing')`),
    index('payments_retried').on(t.checkoutExpiresAt).where(sql`checkout_attempt > 0`),
    index('payments_unexpected')
      .on(t.paidAt)
      .where(sql`cancel_requested_at is not null and unexpected_dismissed_at is null`),
    index('payments_revenue')
      .on(t.paidAt, t.type, t.amountCents, t.feeCents, t.refundedAmountCents, t.refundedFeeCents)
      .where(sql`revenue_month is not null`),
  ],
)

/** The revenue by UTC month and type, maintained by triggers (`derived.ts`). */
export const revenueMonths = sqliteTable(
  'revenue_months',
  {
    month: text().notNull(),
    type: text({ enum: paymentTypes }).notNull(),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull(),
    /** All rows of the ledger, and those of them that are money received. */
    counted: integer().notNull(),
    received: integer().notNull(),
  },
  t => [primaryKey({ columns: [t.month, t.type] })],
)

/** Refunds at the provider, by its id. */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    totalCents: integer('total_cents').notNull(),
    status: text().notNull(),
    createdAt: text('created_at').notNull(),
  },
  t => [index('refunds_payment').on(t.paymentId)],
)

/** Disputes at the provider, by its id. */
export const disputes = sqliteTable(
  'disputes',
  {
    id: text().primaryKey(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    totalCents: integer('total_cents').notNull(),
    status: text().notNull(),
    createdAt: text('created_at').notNull(),
    /** The provider's deadline for a response. */
    dueBy: text('due_by'),
  },
  t => [index('disputes_payment').on(t.paymentId)],
)

/** Every webhook event once, by the provider's id, with its outcome. */
export const providerEvents = sqliteTable(
  'provider_events',
  {
    id: text().primaryKey(),
    type: text().notNull(),
    receivedAt: text('received_at').notNull(),
    outcome: text({ enum: ['applied', 'ignored', 'quarantined'] }).notNull(),
    reason: text().notNull().default(''),
    payload: text().notNull(),
    dismissedAt: text('dismissed_at'),
  },
  t => [index('provider_events_outcome').on(t.outcome, t.receivedAt)],
)

/** Dangers of the notice board that the owner was mailed about; a row goes when its notice does. */
export const mailedNotices = sqliteTable('mailed_notices', {
  noticeId: text('notice_id').primaryKey(),
  at: text().notNull(),
})

/** Mail to be sent, stored in the transaction of its cause and rendered at delivery. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text().primaryKey(),
    /** A second mail with the same key is not stored. */
    dedupeKey: text('dedupe_key').notNull(),
    /** Which template, and what it is filled with. */
    kind: text().notNull(),
    props: text({ mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    toAddress: text('to_address').notNull(),
    replyTo: text('reply_to'),
    createdAt: text('created_at').notNull(),
    /** A withdrawn one was no longer true when it should have left; its words are blanked. */
    status: text({ enum: ['queued', 'sent', 'failed', 'withdrawn'] }).notNull(),
    /** Until when it makes sense; null for always. */
    validUntil: text('valid_until'),
    attempts: integer().notNull().default(0),
    nextAttemptAt: text('next_attempt_at').notNull(),
    lastError: text('last_error'),
    sentAt: text('sent_at'),
  },
  t => [uniqueIndex('outbox_dedupe').on(t.dedupeKey), index('outbox_due').on(t.status, t.nextAttemptAt)],
)

export const rates = sqliteTable('rates', {
  id: text().primaryKey(),
  period: text().notNull(),
  startDate: text('start_date').notNull(),
  endDate: text('end_date').notNull(),
  nightlyCents: integer('nightly_cents'),
  weekendNightCents: integer('weekend_night_cents'),
  weeklyCents: integer('weekly_cents'),
  monthlyCents: integer('monthly_cents').notNull(),
  minStay: integer('min_stay').notNull(),
  maxStay: integer('max_stay'),
  isActive: integer('is_active', { mode: 'boolean' }).notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
})

/** What the owner set by hand; bookings are derived from the applications. A date without a row is available. */
export const availability = sqliteTable('availability', {
  date: text().primaryKey(),
  isAvailable: integer('is_available', { mode: 'boolean' }).notNull(),
  reason: text().notNull(),
  updatedAt: text('updated_at').notNull(),
})

const validity = {
  /** The stay's first day is within these, ends included; null is open. */
  validFrom: text('valid_from'),
  validTo: text('valid_to'),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  archivedAt: text('archived_at'),
}

/** Fees and discounts for leases from now on; a stored lease keeps its charges. */
export const feeRules = sqliteTable('fee_rules', {
  id: text().primaryKey(),
  kind: text({ enum: feeKinds }).notNull(),
  name: text().notNull(),
  per: text({ enum: feeUnits }).notNull(),
  amountCents: integer('amount_cents'),
  basisPoints: integer('basis_points'),
  required: integer({ mode: 'boolean' }).notNull(),
  taxable: integer({ mode: 'boolean' }).notNull(),
  refundable: integer({ mode: 'boolean' }).notNull(),
  minNights: integer('min_nights'),
  maxNights: integer('max_nights'),
  ...validity,
})

/** Taxes for leases from now on. */
export const taxRules = sqliteTable('tax_rules', {
  id: text().primaryKey(),
  name: text().notNull(),
  authority: text().notNull(),
  /** The authority in lower case without outer blanks: its taxes never overlap. */
  authorityKey: text('authority_key').notNull(),
  basisPoints: integer('basis_points').notNull(),
  onRent: integer('on_rent', { mode: 'boolean' }).notNull(),
  onFees: integer('on_fees', { mode: 'boolean' }).notNull(),
  /** Stays longer than this carry none of it; at most one of both is set. */
  maxMonths: integer('max_months'),
  maxNights: integer('max_nights'),
  ...validity,
})

/**
 * What is owed: the sum of an application's charges that are not voided. Those of the lease are written with its text;
 * discounts are negative.
 */
export const charges = sqliteTable(
  'charges',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    kind: text({ enum: chargeKinds }).notNull(),
    /** The name in the label, such as `Linen` of `Linen (2 guests × $12.50)`. */
    name: text().notNull(),
    label: text().notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** Of a tax or a share of the rent: what the rate is taken of; of a fee: the amount of one unit. */
    baseCents: integer('base_cents'),
    rateBasisPoints: integer('rate_basis_points'),
    per: text({ enum: feeUnits }),
    /** What a tax is taken of, as its rule was then. */
    onRent: integer('on_rent', { mode: 'boolean' }),
    onFees: integer('on_fees', { mode: 'boolean' }),
    taxable: integer({ mode: 'boolean' }).notNull().default(false),
    refundable: integer({ mode: 'boolean' }).notNull().default(false),
    feeRuleId: text('fee_rule_id').references(() => feeRules.id),
    taxRuleId: text('tax_rule_id').references(() => taxRules.id),
    source: text({ enum: chargeSources }).notNull(),
    /** Idempotency key of a charge that the owner adds. */
    requestId: text('request_id'),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by').references(() => users.id),
    voidedAt: text('voided_at'),
    voidedBy: text('voided_by').references(() => users.id),
    voidReason: text('void_reason'),
  },
  t => [
    index('charges_application').on(t.applicationId, t.voidedAt),
    index('charges_tax_rule').on(t.taxRuleId),
    uniqueIndex('charges_request').on(t.applicationId, t.requestId),
  ],
)

/** The payment plan of an application's lease, a row while there is one. */
export const paymentPlans = sqliteTable('payment_plans', {
  applicationId: text('application_id')
    .primaryKey()
    .references(() => applications.id),
  kind: text({ enum: planKinds }).notNull(),
  lateFee: text('late_fee', { mode: 'json' }).$type<LateFee>(),
  /** A change must name the version that it changes. */
  version: integer().notNull(),
  madeAt: text('made_at').notNull(),
})

/** The payments of a plan. What is paid, due or overdue is computed; a superseded row stays for the record. */
export const instalments = sqliteTable(
  'instalments',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    position: integer().notNull(),
    kind: text({ enum: instalmentKinds }).notNull(),
    /** The later charge that it is for; null for the instalments of the lease and its deposit. */
    chargeId: text('charge_id').references(() => charges.id),
    label: text().notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** As it was written; null is at signing. */
    dueDate: text('due_date'),
    createdAt: text('created_at').notNull(),
    supersededAt: text('superseded_at'),
    waivedAt: text('waived_at'),
    /** Why it was postponed or waived. */
    reason: text(),
  },
  t => [
    index('instalments_application').on(t.applicationId, t.position).where(sql`superseded_at is null`),
    index('instalments_due').on(t.dueDate).where(sql`superseded_at is null`),
    // Not unique: a postponed part of a charge is an instalment of its own.
    index('instalments_charge').on(t.chargeId).where(sql`superseded_at is null`),
  ],
)

/** The owner's decision about the late fee of an instalment: the charge, or null where none is charged. */
export const lateFees = sqliteTable('late_fees', {
  instalmentId: text('instalment_id')
    .primaryKey()
    .references(() => instalments.id),
  chargeId: text('charge_id').references(() => charges.id),
  at: text().notNull(),
  by: text()
    .notNull()
    .references(() => users.id),
})

/** Links that open a page without a login; the token itself is stored nowhere. */
export const accessLinks = sqliteTable(
  'access_links',
  {
    /** SHA-256 of the token, in hex. */
    id: text().primaryKey(),
    kind: text({
      enum: ['invitation', 'site_preview', 'email_old', 'email_new', 'email_undo', 'not_me'],
    }).notNull(),
    /** The id that it gives access to: an application, an e-mail change or a login; `draft` for a preview of the site. */
    subjectId: text('subject_id').notNull(),
    personId: text('person_id')
      .notNull()
      .references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    revokedAt: text('revoked_at'),
    lastUsedAt: text('last_used_at'),
  },
  t => [
    index('access_links_subject').on(t.kind, t.subjectId, t.createdAt),
    index('access_links_person').on(t.personId),
  ],
)

/** The owner's settings of the property, a row each section; a section without a row has its defaults. */
export const propertySettings = sqliteTable('property_settings', {
  section: text().primaryKey(),
  body: text({ mode: 'json' }).$type<unknown>().notNull(),
  /** A save must name the version that it changes. */
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** Answers to bookings entered or imported, by their idempotency key. */
export const entryRequests = sqliteTable('entry_requests', {
  requestId: text('request_id').primaryKey(),
  answer: text({ mode: 'json' }).$type<unknown>().notNull(),
  at: text().notNull(),
})

/** Calendars of other platforms that are read. */
export const calendarFeeds = sqliteTable(
  'calendar_feeds',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    provider: text({ enum: calendarProviders }).notNull(),
    mode: text({ enum: feedModes }).notNull(),
    url: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    /** As the last good answer gave them. */
    etag: text(),
    lastModified: text('last_modified'),
    bodySha256: text('body_sha256'),
    /** When a whole file was taken apart last: one that says for months that nothing changed is asked without condition. */
    parsedAt: text('parsed_at'),
    lastAttemptAt: text('last_attempt_at'),
    lastSuccessAt: text('last_success_at'),
    nextAttemptAt: text('next_attempt_at'),
    /** In a row. */
    failures: integer().notNull().default(0),
    lastError: text('last_error'),
    /** Events of the last good reading that could not be read. */
    unreadable: integer().notNull().default(0),
    emptySince: text('empty_since'),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('calendar_feeds_url').on(t.url).where(sql`${t.removedAt} is null`)],
)

/** Events imported from feeds: their nights and kind, nothing about the guest. */
export const calendarEvents = sqliteTable(
  'calendar_events',
  {
    id: text().primaryKey(),
    feedId: text('feed_id')
      .notNull()
      .references(() => calendarFeeds.id),
    uid: text().notNull(),
    kind: text({ enum: eventKinds }).notNull(),
    /** Half-open. */
    start: text('start_date').notNull(),
    end: text('end_date').notNull(),
    /** Our own nights, coming back from the platform. */
    echo: integer({ mode: 'boolean' }).notNull(),
    coveredAt: text('covered_at'),
    firstSeenAt: text('first_seen_at').notNull(),
    lastSeenAt: text('last_seen_at').notNull(),
    missingSince: text('missing_since'),
    misses: integer().notNull().default(0),
    releasedAt: text('released_at'),
    endedAt: text('ended_at'),
  },
  t => [
    index('calendar_events_feed_uid').on(t.feedId, t.uid),
    index('calendar_events_live').on(t.end).where(sql`${t.endedAt} is null`),
  ],
)

/** Double bookings: an imported event that overlaps a booking, or another feed's reservation. */
export const calendarConflicts = sqliteTable(
  'calendar_conflicts',
  {
    id: text().primaryKey(),
    eventId: text('event_id')
      .notNull()
      .references(() => calendarEvents.id),
    applicationId: text('application_id').references(() => applications.id),
    otherEventId: text('other_event_id').references(() => calendarEvents.id),
    createdAt: text('created_at').notNull(),
    acknowledgedAt: text('acknowledged_at'),
    resolvedAt: text('resolved_at'),
  },
  // A missing id is never equal to another: each pair is in one of them.
  t => [
    uniqueIndex('calendar_conflicts_application').on(t.eventId, t.applicationId),
    uniqueIndex('calendar_conflicts_event').on(t.eventId, t.otherEventId),
  ],
)

/** Calendars that are given out. Tokens are in clear, so that addresses can be copied again and survive a restore. */
export const calendarExports = sqliteTable(
  'calendar_exports',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    scope: text({ enum: exportScopes }).notNull(),
    /** The platform's own feed, which comes back from it. */
    feedId: text('feed_id').references(() => calendarFeeds.id),
    token: text().notNull(),
    oldToken: text('old_token'),
    oldUntil: text('old_until'),
    lastFetchedAt: text('last_fetched_at'),
    lastAgent: text('last_agent'),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('calendar_exports_token').on(t.token), index('calendar_exports_old').on(t.oldToken)],
)

/** What exports last published for each stay, imported event or run of blocked nights. */
export const calendarPublished = sqliteTable('calendar_published', {
  uid: text().primaryKey(),
  /** Half-open, with the turnover nights. */
  start: text('start_date').notNull(),
  end: text('end_date').notNull(),
  /** How often its dates were changed. */
  sequence: integer().notNull(),
  changedAt: text('changed_at').notNull(),
  goneAt: text('gone_at'),
})

/** What was published: every section of the site's words, whole. Never changed, kept for ever. */
export const contentVersions = sqliteTable('content_versions', {
  /** The version's number, from 1. */
  id: integer().primaryKey(),
  at: text().notNull(),
  actorId: text('actor_id')
    .notNull()
    .references(() => users.id),
  note: text().notNull(),
  source: text({ enum: ['publish', 'undo'] }).notNull(),
  /** The number of the schema that the body is of. */
  schema: integer().notNull(),
  /** JSON as it was hashed. */
  body: text().notNull(),
  sha256: text().notNull(),
})

/** The one draft of the site's words; a section without a body is as published. */
export const contentSections = sqliteTable('content_sections', {
  section: text({ enum: sectionNames as [SectionName, ...SectionName[]] }).primaryKey(),
  schema: integer().notNull(),
  body: text({ mode: 'json' }).$type<unknown>(),
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** Wordings of leases and mails, a row a version; the newest counts. */
export const wordings = sqliteTable(
  'wordings',
  {
    id: text().primaryKey(),
    kind: text({ enum: wordingKinds }).notNull(),
    /** From 1. */
    version: integer().notNull(),
    /** JSON as it was hashed; null for the shipped wording. */
    body: text(),
    sha256: text().notNull(),
    note: text().notNull(),
    at: text().notNull(),
    actorId: text('actor_id')
      .notNull()
      .references(() => users.id),
  },
  t => [uniqueIndex('wordings_version').on(t.kind, t.version)],
)

/** Pictures that the owner uploaded. */
export const pictures = sqliteTable(
  'pictures',
  {
    id: text().primaryKey(),
    /** The original; null once the picture is removed. */
    fileId: text('file_id').references(() => files.id),
    /** Of the file. */
    name: text().notNull(),
    /** Pixels, upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Of the original. */
    sha256: text().notNull(),
    state: text({ enum: ['processing', 'ready', 'failed'] }).notNull(),
    fault: text(),
    createdAt: text('created_at').notNull(),
    createdBy: text('created_by')
      .notNull()
      .references(() => users.id),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('pictures_sha256').on(t.sha256).where(sql`${t.removedAt} is null`)],
)

/** The copies of a picture that a recipe makes. */
export const pictureCopies = sqliteTable(
  'picture_copies',
  {
    pictureId: text('picture_id')
      .notNull()
      .references(() => pictures.id),
    /** By its name, as `page` or `hero@0.30,0.00`. */
    recipe: text().notNull(),
    /** What names the copies of its first cut. */
    hash: text().notNull(),
    /** Null until they are made for the first time; shown only while the state is `ready`. */
    cuts: text({ mode: 'json' }).$type<PictureCut[]>(),
    state: text({ enum: ['processing', 'ready', 'failed'] }).notNull(),
    /** Each counted before it began. */
    attempts: integer().notNull().default(0),
    fault: text(),
    madeAt: text('made_at'),
    /** Since when neither draft nor published words use them. */
    unusedSince: text('unused_since'),
  },
  t => [primaryKey({ columns: [t.pictureId, t.recipe] }), uniqueIndex('picture_copies_hash').on(t.hash)],
)

/** Facts about this installation, such as the demo mark or the last backup. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
})
