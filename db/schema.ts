import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { actorRoles } from '../src/domain/accounts/access.ts'
import { roles } from '../src/domain/accounts/account-rules.ts'
import { factorKinds } from '../src/domain/accounts/factor.ts'
import { applicationStatuses, bookedStatuses } from '../src/domain/bookings/application-status.ts'
import { bookingSources } from '../src/domain/bookings/booking-source.ts'
import { calendarProviders, eventKinds, feedModes } from '../src/domain/calendars/calendar-event.ts'
import { exportScopes } from '../src/domain/calendars/calendar-feed.ts'
import { type SectionName, sectionNames } from '../src/domain/content/content.ts'
import type { Block } from '../src/domain/content/content-blocks.ts'
import type { PictureCut } from '../src/domain/content/picture.ts'
import { wordingKinds } from '../src/domain/content/wording.ts'
import { signedByKinds } from '../src/domain/leases/lease.ts'
import { chargeKinds, chargeSources, feeKinds, feeUnits } from '../src/domain/money/charge.ts'
import { paymentMethods, paymentStatuses, paymentTypes, providerMethods } from '../src/domain/money/ledger.ts'
import { instalmentKinds, type LateFee } from '../src/domain/money/payment-plan.ts'
import { planChoices, planKinds } from '../src/domain/money/payment-plan-kinds.ts'

// Timestamps are UTC ISO strings, calendar dates YYYY-MM-DD, money integer cents. No foreign key cascades.

type GuestColumn = { firstName: string; lastName: string; isAdult: boolean }
export type EventDetail = Record<string, string | number | boolean | null>

/** Condition for booked applications. A literal, not a bound parameter, so that SQLite can use the partial index. */
export const bookedCondition = `deleted_at is null and status in (${bookedStatuses.map(status => `'${status}'`).join(', ')})`
export const isBookedRow = sql.raw(bookedCondition)

export const users = sqliteTable(
  'users',
  {
    id: text().primaryKey(),
    email: text().notNull(),
    /** The e-mail in lower case; unique for each account. */
    emailKey: text('email_key').notNull(),
    /** Null until an invited guest sets a password. */
    passwordHash: text('password_hash'),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    phone: text().notNull().default(''),
    role: text({ enum: roles }).notNull(),
    /**
     * When a mailed link or code first proved that the e-mail's mailbox belongs to the account; null while anybody could
     * have registered it.
     */
    mailboxProvenAt: text('mailbox_proven_at'),
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
    /** Identifies the session in the user's list of sessions; not a credential. */
    publicId: text('public_id').notNull().default(''),
    /** Last proof with a code, passkey or recovery code. */
    factorAt: text('factor_at'),
    /** Last proof of any kind. */
    stepUpAt: text('step_up_at'),
    /** Wrong proofs since the last correct proof. */
    stepUpTries: integer('step_up_tries').notNull().default(0),
    /** IP address when the session began. */
    address: text(),
    userAgent: text('user_agent'),
    /**
     * Set when the user or a change of e-mail ends the session. The row stays so that the next request can be told why.
     */
    endedAt: text('ended_at'),
  },
  t => [index('sessions_user').on(t.userId), uniqueIndex('sessions_public_id').on(t.publicId)],
)

/** Second factors of an account. A factor without `confirmedAt` does not count yet. */
export const userFactors = sqliteTable(
  'user_factors',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    kind: text({ enum: factorKinds }).notNull(),
    label: text().notNull(),
    /** The secret of an authenticator app, encrypted with the installation's key and bound to this row. */
    secretEnc: text('secret_enc'),
    /** The time step of the last accepted code; codes of this or an earlier step are rejected. */
    lastStep: integer('last_step'),
    /** Credential id of a passkey, in base64url. */
    credentialId: text('credential_id'),
    publicKey: text('public_key'),
    counter: integer(),
    /** Whether the passkey is also stored outside the device. */
    backedUp: integer('backed_up', { mode: 'boolean' }),
    /** The host that the passkey was created for. */
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

/** Challenges that a browser must answer once, within minutes. */
export const loginChallenges = sqliteTable(
  'login_challenges',
  {
    /** SHA-256 of the token, in hex; a random id for a mailed code. */
    id: text().primaryKey(),
    /** The second step of a login, creating a passkey, using a passkey, or proving the mailbox. */
    kind: text({ enum: ['second_step', 'passkey_setup', 'passkey_use', 'mailbox'] }).notNull(),
    /** Null if the passkey identifies the user. */
    userId: text('user_id').references(() => users.id),
    createdAt: text('created_at').notNull(),
    expiresAt: text('expires_at').notNull(),
    tries: integer().notNull().default(0),
    usedAt: text('used_at'),
  },
  t => [index('login_challenges_user').on(t.userId), index('login_challenges_expiry').on(t.expiresAt)],
)

/** E-mail changes. A row that is both done and canceled was undone. */
export const emailChanges = sqliteTable(
  'email_changes',
  {
    id: text().primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    newEmail: text('new_email').notNull(),
    oldEmail: text('old_email').notNull(),
    /** Whether the contact address on the user's applications changes too. */
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
  ],
)

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

/**
 * The ledger. `amountCents` is the amount credited to the tenant, without the card fee; negative on the paying side of
 * a transfer and for money returned by hand. A voided row stays for the audit log and is never counted.
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
    /** Payment method used at the provider. */
    providerMethod: text('provider_method', { enum: providerMethods }),
    status: text({ enum: paymentStatuses }).notNull(),
    /** Why a bank payment failed or was returned, if the bank said so. */
    failureReason: text('failure_reason'),
    amountCents: integer('amount_cents').notNull(),
    feeCents: integer('fee_cents').notNull().default(0),
    refundedAmountCents: integer('refunded_amount_cents').notNull().default(0),
    refundedFeeCents: integer('refunded_fee_cents').notNull().default(0),
    /** The part of the refunded amount that disputes took: lost in one, or withheld while it is open. */
    lostAmountCents: integer('lost_amount_cents').notNull().default(0),
    description: text().notNull().default(''),
    checkNumber: text('check_number').notNull().default(''),
    notes: text().notNull().default(''),
    createdAt: text('created_at').notNull(),
    paidAt: text('paid_at'),
    voidedAt: text('voided_at'),
    /** Both rows of a transfer have the same id. */
    transferId: text('transfer_id'),
    checkoutSessionId: text('checkout_session_id'),
    checkoutUrl: text('checkout_url'),
    checkoutExpiresAt: text('checkout_expires_at'),
    /** Number of failed attempts to open the checkout; each attempt needs a new idempotency key. */
    checkoutAttempt: integer('checkout_attempt').notNull().default(0),
    /** Set on cancellation: the checkout must be closed, and a later payment is reported to the owner. */
    cancelRequestedAt: text('cancel_requested_at'),
    /** When the owner dismissed the notice about a payment made after cancellation. */
    unexpectedDismissedAt: text('unexpected_dismissed_at'),
    /** The deleted application that the payment was for. */
    formerApplicationId: text('former_application_id'),
    successUrl: text('success_url'),
    cancelUrl: text('cancel_url'),
    stripePaymentIntentId: text('stripe_payment_intent_id'),
    stripeChargeId: text('stripe_charge_id'),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    receiptUrl: text('receipt_url'),
    receiptQueuedAt: text('receipt_queued_at'),
    /**
     * UTC month whose revenue includes the payment, null if it is not revenue. The SQL version of the ledger's
     * `isRevenue`.
     */
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

/** Critical notices that were mailed to the owner; the row is deleted together with its notice. */
export const mailedNotices = sqliteTable('mailed_notices', {
  noticeId: text('notice_id').primaryKey(),
  at: text().notNull(),
})

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
    toAddress: text('to_address').notNull(),
    replyTo: text('reply_to'),
    createdAt: text('created_at').notNull(),
    /** `withdrawn`: the content was no longer true at delivery time; the data is blanked. */
    status: text({ enum: ['queued', 'sent', 'failed', 'withdrawn'] }).notNull(),
    /** End of the mail's validity; null for no end. */
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

/**
 * Availability that the owner set by hand; bookings are derived from the applications. A date without a row is
 * available.
 */
export const availability = sqliteTable('availability', {
  date: text().primaryKey(),
  isAvailable: integer('is_available', { mode: 'boolean' }).notNull(),
  reason: text().notNull(),
  updatedAt: text('updated_at').notNull(),
})

const validity = {
  /** Range of a stay's first day, both ends inclusive; null is open. */
  validFrom: text('valid_from'),
  validTo: text('valid_to'),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  archivedAt: text('archived_at'),
}

/** Fees and discounts for future leases; a stored lease keeps its charges. */
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

/** Taxes for future leases. */
export const taxRules = sqliteTable('tax_rules', {
  id: text().primaryKey(),
  name: text().notNull(),
  authority: text().notNull(),
  /** The authority in lower case, trimmed. Taxes of the same authority never overlap. */
  authorityKey: text('authority_key').notNull(),
  basisPoints: integer('basis_points').notNull(),
  onRent: integer('on_rent', { mode: 'boolean' }).notNull(),
  onFees: integer('on_fees', { mode: 'boolean' }).notNull(),
  /** Longer stays are exempt from the tax; at most one of the two limits is set. */
  maxMonths: integer('max_months'),
  maxNights: integer('max_nights'),
  ...validity,
})

/**
 * What is owed: the sum of an application's charges that are not voided. Charges of the lease are written together with
 * its text; discounts are negative.
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
    /** For a tax or a share of the rent: the base that the rate applies to; for a fee: the price of one unit. */
    baseCents: integer('base_cents'),
    rateBasisPoints: integer('rate_basis_points'),
    per: text({ enum: feeUnits }),
    /** What the tax rule applied to at the time. */
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

/** The payment plan of an application's lease; no row without a plan. */
export const paymentPlans = sqliteTable('payment_plans', {
  applicationId: text('application_id')
    .primaryKey()
    .references(() => applications.id),
  kind: text({ enum: planKinds }).notNull(),
  lateFee: text('late_fee', { mode: 'json' }).$type<LateFee>(),
  /** Optimistic lock: a change must send the version it is based on. */
  version: integer().notNull(),
  madeAt: text('made_at').notNull(),
})

/**
 * The payments of a plan. Whether an installment is paid, due or overdue is computed; a superseded row stays for the
 * record.
 */
export const instalments = sqliteTable(
  'instalments',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    position: integer().notNull(),
    kind: text({ enum: instalmentKinds }).notNull(),
    /** The later charge that the installment is for; null for installments of the lease and its deposit. */
    chargeId: text('charge_id').references(() => charges.id),
    label: text().notNull(),
    amountCents: integer('amount_cents').notNull(),
    /** As first written; null is due at signing. */
    dueDate: text('due_date'),
    createdAt: text('created_at').notNull(),
    supersededAt: text('superseded_at'),
    waivedAt: text('waived_at'),
    /** Why the installment was postponed or waived. */
    reason: text(),
  },
  t => [
    index('instalments_application').on(t.applicationId, t.position).where(sql`superseded_at is null`),
    index('instalments_due').on(t.dueDate).where(sql`superseded_at is null`),
    // Not unique: a postponed part of a charge is a separate installment.
    index('instalments_charge').on(t.chargeId).where(sql`superseded_at is null`),
  ],
)

/** The owner's decision about the late fee of an installment: the charge, or null if none is charged. */
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

/** Links that open a page without a login. A link opens nothing before it has a token. */
export const accessLinks = sqliteTable(
  'access_links',
  {
    id: text().primaryKey(),
    kind: text({
      enum: [
        'invitation',
        'password_reset',
        'site_preview',
        'email_old',
        'email_new',
        'email_undo',
        'not_me',
      ],
    }).notNull(),
    /**
     * What the link gives access to: the id of an application, account, e-mail change or login, or `draft` for a
     * preview of the site.
     */
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

/** The tokens of links: each attempt to deliver a mail makes one, and all of them work. The token is never stored. */
export const linkTokens = sqliteTable('link_tokens', {
  /** SHA-256 of the token, in hex. */
  id: text().primaryKey(),
  linkId: text('link_id')
    .notNull()
    .references(() => accessLinks.id),
})

/** The owner's settings of the property, one row per section; a section without a row has its defaults. */
export const propertySettings = sqliteTable('property_settings', {
  section: text().primaryKey(),
  body: text({ mode: 'json' }).$type<unknown>().notNull(),
  /** Optimistic lock: a save must send the version it is based on. */
  version: integer().notNull(),
  updatedAt: text('updated_at').notNull(),
  updatedBy: text('updated_by')
    .notNull()
    .references(() => users.id),
})

/** Stored responses for entered or imported bookings, by idempotency key. */
export const entryRequests = sqliteTable('entry_requests', {
  requestId: text('request_id').primaryKey(),
  answer: text({ mode: 'json' }).$type<unknown>().notNull(),
  at: text().notNull(),
})

/** Calendars of other platforms that this site imports. */
export const calendarFeeds = sqliteTable(
  'calendar_feeds',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    provider: text({ enum: calendarProviders }).notNull(),
    mode: text({ enum: feedModes }).notNull(),
    url: text().notNull(),
    active: integer({ mode: 'boolean' }).notNull(),
    /** Headers and body hash of the last successful response. */
    etag: text(),
    lastModified: text('last_modified'),
    bodySha256: text('body_sha256'),
    /**
     * When a whole file was last parsed. After months of "not modified" responses the feed is fetched unconditionally.
     */
    parsedAt: text('parsed_at'),
    lastAttemptAt: text('last_attempt_at'),
    lastSuccessAt: text('last_success_at'),
    nextAttemptAt: text('next_attempt_at'),
    /** Consecutive failures. */
    failures: integer().notNull().default(0),
    lastError: text('last_error'),
    /** Events in the last successful fetch that could not be parsed. */
    unreadable: integer().notNull().default(0),
    emptySince: text('empty_since'),
    createdAt: text('created_at').notNull(),
    removedAt: text('removed_at'),
  },
  t => [uniqueIndex('calendar_feeds_url').on(t.url).where(sql`${t.removedAt} is null`)],
)

/** Events imported from feeds: their nights and kind, no guest data. */
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
    /** The site's own nights, coming back from the platform. */
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
    index('calendar_events_ended').on(t.feedId, t.endedAt).where(sql`${t.endedAt} is not null`),
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
  // SQLite treats nulls as distinct, so each pair is checked by exactly one of the two indexes.
  t => [
    uniqueIndex('calendar_conflicts_application').on(t.eventId, t.applicationId),
    uniqueIndex('calendar_conflicts_event').on(t.eventId, t.otherEventId),
    index('calendar_conflicts_other').on(t.otherEventId),
  ],
)

/**
 * Calendars that this site exports. Tokens are stored in plain text, so that addresses can be copied again and survive
 * a restore.
 */
export const calendarExports = sqliteTable(
  'calendar_exports',
  {
    id: text().primaryKey(),
    name: text().notNull(),
    scope: text({ enum: exportScopes }).notNull(),
    /** The platform's own feed, in which the exported nights come back. */
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
  /** Half-open, including the turnover nights. */
  start: text('start_date').notNull(),
  end: text('end_date').notNull(),
  /** How often the dates changed. */
  sequence: integer().notNull(),
  changedAt: text('changed_at').notNull(),
  goneAt: text('gone_at'),
})

/** Published versions: all sections of the site's content. Immutable and never deleted. */
export const contentVersions = sqliteTable('content_versions', {
  /** The version's number, from 1. */
  id: integer().primaryKey(),
  at: text().notNull(),
  actorId: text('actor_id')
    .notNull()
    .references(() => users.id),
  note: text().notNull(),
  source: text({ enum: ['publish', 'undo'] }).notNull(),
  /** The sections that differ from the version before it. */
  changed: text({ mode: 'json' }).$type<SectionName[]>().notNull().default([]),
  /** Schema version of the body. */
  schema: integer().notNull(),
  /** JSON exactly as it was hashed. */
  body: text().notNull(),
  sha256: text().notNull(),
})

/** The single draft of the site's content; a section without a body equals the published one. */
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

/** The parsed Markdown of the published content and of the draft, written when a text is saved (FIX-30). */
export const parsedTexts = sqliteTable('parsed_texts', {
  /** Hash of the text and of the parser's version. */
  key: text().primaryKey(),
  blocks: text({ mode: 'json' }).$type<Block[]>().notNull(),
})

/** Wordings of leases and mails, one row per version; the newest is in use. */
export const wordings = sqliteTable(
  'wordings',
  {
    id: text().primaryKey(),
    kind: text({ enum: wordingKinds }).notNull(),
    /** Starts at 1. */
    version: integer().notNull(),
    /** JSON exactly as it was hashed; null for the shipped wording. */
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
    /** Name of the uploaded file. */
    name: text().notNull(),
    /** In pixels, after rotating the picture upright. */
    width: integer().notNull(),
    height: integer().notNull(),
    /** Hash of the original. */
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

/** Resized copies of a picture, one row per recipe. */
export const pictureCopies = sqliteTable(
  'picture_copies',
  {
    pictureId: text('picture_id')
      .notNull()
      .references(() => pictures.id),
    /** Name of the recipe, such as `page` or `hero@0.30,0.00`. */
    recipe: text().notNull(),
    /** The hash in the file names of the first cut's copies. */
    hash: text().notNull(),
    /** Null until first made; shown only while `state` is `ready`. */
    cuts: text({ mode: 'json' }).$type<PictureCut[]>(),
    state: text({ enum: ['processing', 'ready', 'failed'] }).notNull(),
    /** Incremented before each attempt. */
    attempts: integer().notNull().default(0),
    fault: text(),
    madeAt: text('made_at'),
    /** Since when neither the draft nor the published content uses the copies; null while in use. */
    unusedSince: text('unused_since'),
  },
  t => [primaryKey({ columns: [t.pictureId, t.recipe] }), uniqueIndex('picture_copies_hash').on(t.hash)],
)

/** Facts about this installation, such as the demo mark or the last backup. */
export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
})
