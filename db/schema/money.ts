import { sql } from 'drizzle-orm'
import {
  type AnySQLiteColumn,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { chargeKinds, chargeSources, feeKinds, feeUnits } from '../../src/domain/money/charge.ts'
import {
  paymentMethods,
  paymentStatuses,
  paymentTypes,
  providerMethods,
  refundPurposes,
} from '../../src/domain/money/ledger.ts'
import { installmentKinds, type LateFee, planKinds } from '../../src/domain/money/payment-plan.ts'
import { users } from './accounts.ts'
import { applications } from './applications.ts'
import { cancellations } from './changes.ts'
import { leases } from './leases.ts'

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
    /**
     * The part of a deposit's refunds, or of its return by hand, that was a correction: the deposit is owed again, so
     * this is no longer credited.
     */
    correctedAmountCents: integer('corrected_amount_cents').notNull().default(0),
    /** A deduction that pays what was owed, so that it is not owed any more. */
    paysBill: integer('pays_bill', { mode: 'boolean' }).notNull().default(false),
    /** What the provider kept for the whole checkout; null until it is known. On the first payment of a checkout. */
    providerFeeCents: integer('provider_fee_cents'),
    description: text().notNull().default(''),
    checkNumber: text('check_number').notNull().default(''),
    notes: text().notNull().default(''),
    createdAt: text('created_at').notNull(),
    paidAt: text('paid_at'),
    voidedAt: text('voided_at'),
    /** Both rows of a transfer have the same id. */
    transferId: text('transfer_id'),
    /** The first payment of the same checkout, by which the provider names it; null for the first one itself. */
    checkoutLeadId: text('checkout_lead_id').references((): AnySQLiteColumn => payments.id),
    checkoutSessionId: text('checkout_session_id'),
    checkoutUrl: text('checkout_url'),
    checkoutExpiresAt: text('checkout_expires_at'),
    /** Number of failed attempts to open the checkout; each attempt needs a new idempotency key. */
    checkoutAttempt: integer('checkout_attempt').notNull().default(0),
    /** Set on cancellation: the checkout must be closed, and a later payment is reported to the owner. */
    cancelRequestedAt: text('cancel_requested_at'),
    /** When the owner dismissed the notice about a payment made after cancellation. */
    unexpectedDismissedAt: text('unexpected_dismissed_at'),
    /** The amount of dismissed notices about this payment; lowered once the money is returned after all. */
    dismissedCents: integer('dismissed_cents').notNull().default(0),
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
    // A checkout has at most one payment of each type.
    uniqueIndex('payments_checkout_session').on(t.checkoutSessionId, t.type),
    index('payments_checkout_lead').on(t.checkoutLeadId).where(sql`checkout_lead_id is not null`),
    index('payments_payment_intent').on(t.stripePaymentIntentId),
    index('payments_voided').on(t.applicationId, t.userId).where(sql`voided_at is not null`),
    index('payments_open').on(t.status, t.createdAt).where(sql`status in ('pending', 'processing')`),
    index('payments_retried').on(t.checkoutExpiresAt).where(sql`checkout_attempt > 0`),
    index('payments_marked').on(t.paidAt).where(sql`cancel_requested_at is not null`),
    index('payments_returned').on(t.paidAt).where(sql`status = 'returned'`),
    index('payments_revenue')
      .on(t.paidAt, t.type, t.amountCents, t.feeCents, t.refundedAmountCents, t.refundedFeeCents)
      .where(sql`revenue_month is not null`),
  ],
)

/** Literals, not bound parameters, so that SQLite uses the partial indexes with the same conditions. */
export const isUnfinishedPayment = sql`${payments.status} in ('pending', 'processing')`
export const isReturnedPayment = sql`${payments.status} = 'returned'`

/**
 * Refunds at the provider, by its id. One that names no payment of a checkout of two has a share in both, which may be
 * 0.
 */
export const refunds = sqliteTable(
  'refunds',
  {
    id: text().notNull(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    totalCents: integer('total_cents').notNull(),
    status: text().notNull(),
    /** Of a deposit: whether it is the deposit's return or a correction, after which it is owed again. */
    purpose: text({ enum: refundPurposes }).notNull().default('refund'),
    createdAt: text('created_at').notNull(),
  },
  t => [primaryKey({ columns: [t.id, t.paymentId] }), index('refunds_payment').on(t.paymentId)],
)

/** Disputes at the provider, by its id, with a share in each payment of the checkout. */
export const disputes = sqliteTable(
  'disputes',
  {
    id: text().notNull(),
    paymentId: text('payment_id')
      .notNull()
      .references(() => payments.id),
    totalCents: integer('total_cents').notNull(),
    status: text().notNull(),
    createdAt: text('created_at').notNull(),
    /** The provider's deadline for a response. */
    dueBy: text('due_by'),
    /** When the provider made the event that this is from; null for rows from before it was stored. */
    reportedAt: text('reported_at'),
    /** When it was won or lost. */
    closedAt: text('closed_at'),
  },
  t => [primaryKey({ columns: [t.id, t.paymentId] }), index('disputes_payment').on(t.paymentId)],
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
    /** The installment that a waiver reduces; null for all other charges. */
    installmentId: text('instalment_id').references((): AnySQLiteColumn => installments.id),
    /** The cancellation that made or voided it. */
    cancellationId: text('cancellation_id').references((): AnySQLiteColumn => cancellations.id),
    /** The addendum, a row of `leases`, that made it. */
    addendumId: text('addendum_id').references(() => leases.id),
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
export const installments = sqliteTable(
  'instalments',
  {
    id: text().primaryKey(),
    applicationId: text('application_id')
      .notNull()
      .references(() => applications.id),
    position: integer().notNull(),
    kind: text({ enum: installmentKinds }).notNull(),
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
  installmentId: text('instalment_id')
    .primaryKey()
    .references(() => installments.id),
  chargeId: text('charge_id').references(() => charges.id),
  at: text().notNull(),
  by: text()
    .notNull()
    .references(() => users.id),
})
