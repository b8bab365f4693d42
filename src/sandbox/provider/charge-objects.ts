import type Stripe from 'stripe'
import { newId } from './ids.ts'
import type { Decline, Method } from './test-methods.ts'

type Payer = { email: string | null; name: string | null }

/** A charge before its outcome is known; `succeedCharge` and `failCharge` finish it. */
export function buildCharge(
  intent: Stripe.PaymentIntent,
  method: Method,
  payer: Payer,
  created: number,
): Stripe.Charge {
  return {
    id: newId(method.type === 'card' ? 'ch_3' : 'py_3'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: {
      address: { city: null, country: 'US', line1: null, line2: null, postal_code: null, state: null },
      email: payer.email,
      name: payer.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: null,
    captured: false,
    created,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: newId('pm_1'),
    payment_method_details: methodDetails(method),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  }
}

export function succeedCharge(charge: Stripe.Charge, publicOrigin: string): Stripe.Charge {
  return {
    ...charge,
    amount_captured: charge.amount,
    captured: true,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    receipt_url: `${publicOrigin}/sandbox/receipts/${charge.id}`,
    status: 'succeeded',
  }
}

export function failCharge(charge: Stripe.Charge, decline: Decline): Stripe.Charge {
  return {
    ...charge,
    failure_code: decline.code,
    failure_message: decline.message,
    outcome: {
      advice_code: 'try_again_later',
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'declined_by_network',
      reason: decline.declineCode ?? decline.code,
      risk_level: 'normal',
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    },
    status: 'failed',
  }
}

function methodDetails(method: Method): Stripe.Charge.PaymentMethodDetails {
  if (method.type === 'us_bank_account') {
    return {
      type: 'us_bank_account',
      us_bank_account: {
        account_holder_type: 'individual',
        account_type: 'checking',
        bank_name: 'STRIPE TEST BANK',
        fingerprint: null,
        last4: method.last4,
        payment_reference: null,
        routing_number: method.routingNumber,
      },
    }
  }
  return {
    type: 'card',
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand: method.brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: method.country,
      electronic_commerce_indicator: null,
      exp_month: method.expMonth,
      exp_year: method.expYear,
      fingerprint: null,
      funding: 'credit',
      installments: null,
      last4: method.last4,
      mandate: null,
      network: method.brand,
      network_transaction_id: null,
      regulated_status: 'unregulated',
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

export function buildRefund(
  charge: Stripe.Charge,
  amount: number,
  details: { reason: Stripe.Refund.Reason | null; metadata: Record<string, string>; created: number },
): Stripe.Refund {
  const card = charge.payment_method_details?.card
  return {
    id: newId('re_3'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: details.created,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: card
      ? {
          card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
          type: 'card',
        }
      : { type: 'us_bank_transfer', us_bank_transfer: { reference: null, reference_status: 'pending' } },
    metadata: details.metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: details.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: 'succeeded',
    transfer_reversal: null,
  }
}

export function buildDispute(
  charge: Stripe.Charge,
  amount: number,
  { reason, created }: { reason: string; created: number },
): Stripe.Dispute {
  return {
    id: newId('du_1'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {
      access_activity_log: null,
      billing_address: null,
      cancellation_policy: null,
      cancellation_policy_disclosure: null,
      cancellation_rebuttal: null,
      customer_communication: null,
      customer_email_address: charge.billing_details.email,
      customer_name: charge.billing_details.name,
      customer_purchase_ip: null,
      customer_signature: null,
      duplicate_charge_documentation: null,
      duplicate_charge_explanation: null,
      duplicate_charge_id: null,
      enhanced_evidence: {},
      product_description: null,
      receipt: null,
      refund_policy: null,
      refund_policy_disclosure: null,
      refund_refusal_explanation: null,
      service_date: null,
      service_documentation: null,
      shipping_address: null,
      shipping_carrier: null,
      shipping_date: null,
      shipping_documentation: null,
      shipping_tracking_number: null,
      uncategorized_file: null,
      uncategorized_text: null,
    },
    evidence_details: {
      due_by: created + 9 * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: charge.payment_method_details?.card
      ? {
          card: {
            brand: charge.payment_method_details.card.brand ?? 'visa',
            case_type: 'chargeback',
            network: charge.payment_method_details.card.network ?? 'visa',
            network_reason_code: '10.4',
          },
          type: 'card',
        }
      : undefined,
    reason,
    status: 'needs_response',
  }
}
