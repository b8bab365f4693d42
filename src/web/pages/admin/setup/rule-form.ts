import type { FeeRule, TaxRule } from '../../../../domain/money/charge-rule.ts'
import { toDollarText } from '../../../features/payments/dollar-amount.ts'
import type { FeeFormValues, TaxFormValues } from './rule-form-schema.ts'

// The forms contain what was typed: amounts in dollars, rates in percent, empty text if not set.

const textOf = (value: number | string | null) => String(value ?? '')
const hundredthsText = (value: number | null) => (value === null ? '' : toDollarText(value))

export const emptyFee: FeeFormValues = {
  kind: 'fee',
  name: '',
  per: 'stay',
  amountCents: '',
  basisPoints: '',
  required: true,
  taxable: false,
  refundable: false,
  minNights: '',
  maxNights: '',
  validFrom: '',
  validTo: '',
}
export const exampleFee: FeeFormValues = {
  ...emptyFee,
  name: 'Cleaning fee',
  amountCents: '150',
  taxable: true,
}

export const emptyTax: TaxFormValues = {
  name: '',
  authority: '',
  basisPoints: '',
  onRent: true,
  onFees: true,
  maxMonths: '',
  maxNights: '',
  validFrom: '',
  validTo: '',
}
export const exampleTax: TaxFormValues = {
  ...emptyTax,
  name: 'State tax',
  authority: 'Florida',
  basisPoints: '6',
  maxMonths: '6',
}

export const toFeeFormValues = (rule: FeeRule): FeeFormValues => ({
  kind: rule.kind,
  name: rule.name,
  per: rule.per,
  amountCents: hundredthsText(rule.amountCents),
  basisPoints: hundredthsText(rule.basisPoints),
  required: rule.required,
  taxable: rule.taxable,
  refundable: rule.refundable,
  minNights: textOf(rule.minNights),
  maxNights: textOf(rule.maxNights),
  ...toValidityFormValues(rule),
})

export const toTaxFormValues = (rule: TaxRule): TaxFormValues => ({
  name: rule.name,
  authority: rule.authority,
  basisPoints: hundredthsText(rule.basisPoints),
  onRent: rule.onRent,
  onFees: rule.onFees,
  maxMonths: textOf(rule.maxMonths),
  maxNights: textOf(rule.maxNights),
  ...toValidityFormValues(rule),
})

type Validity = { validFrom: string | null; validTo: string | null }

const toValidityFormValues = ({ validFrom, validTo }: Validity) => ({
  validFrom: textOf(validFrom),
  validTo: textOf(validTo),
})
