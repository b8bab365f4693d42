import type { z } from 'zod'
import type { FeeRule, feeRuleForm, TaxRule, taxRuleForm } from '../domain/money/charge-rule.ts'

/** A cleaning fee that applies to every stay. */
export function buildFeeRule(overrides: Partial<z.input<typeof feeRuleForm>> = {}) {
  return {
    kind: 'fee',
    name: 'Cleaning fee',
    per: 'stay',
    amountCents: 150_00,
    required: true,
    taxable: true,
    ...overrides,
  } satisfies z.input<typeof feeRuleForm>
}

/** Florida's tax on rent and fees. */
export function buildTaxRule(overrides: Partial<z.input<typeof taxRuleForm>> = {}) {
  return {
    name: 'State tax',
    authority: 'Florida',
    basisPoints: 600,
    onRent: true,
    onFees: true,
    ...overrides,
  } satisfies z.input<typeof taxRuleForm>
}

/** A stored fee that applies to every stay unless overridden. */
export const feeRuleOf = (overrides: Partial<FeeRule> = {}): FeeRule => ({
  _id: 'cleaning',
  id: 'cleaning',
  kind: 'fee',
  name: 'Cleaning fee',
  per: 'stay',
  amountCents: 150_00,
  basisPoints: null,
  required: true,
  taxable: false,
  refundable: false,
  minNights: null,
  maxNights: null,
  validFrom: null,
  validTo: null,
  ...overrides,
})

/** A stored tax on the rent and fees of every stay unless overridden. */
export const taxRuleOf = (overrides: Partial<TaxRule> = {}): TaxRule => ({
  _id: 'state',
  id: 'state',
  name: 'State tax',
  authority: 'Florida',
  basisPoints: 600,
  onRent: true,
  onFees: true,
  maxMonths: null,
  maxNights: null,
  validFrom: null,
  validTo: null,
  ...overrides,
})
