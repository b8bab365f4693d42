import { z } from 'zod'
import { feeKinds, feeUnits } from '../../../../domain/money/charge.ts'
import { type FeeRule, feeRuleForm, type TaxRule, taxRuleForm } from '../../../../domain/money/charge-rule.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'

/** Converts dollars to cents, or percent to basis points; an empty text is null. */
const hundredths = (text: string) => (text.trim() === '' ? null : (parseDollars(text) ?? Number.NaN))
const count = (text: string) => (text.trim() === '' ? null : Number(text))

const text = z.string()
const flag = z.boolean()

/** A fee as typed; fields that its unit does not need are dropped. */
export const feeFormSchema = z
  .object({
    kind: z.enum(feeKinds),
    name: text,
    per: z.enum(feeUnits),
    amountCents: text,
    basisPoints: text,
    required: flag,
    taxable: flag,
    refundable: flag,
    minNights: text,
    maxNights: text,
    validFrom: text,
    validTo: text,
  })
  .transform(
    (values): z.input<typeof feeRuleForm> => ({
      ...values,
      amountCents: values.per === 'rent' ? null : hundredths(values.amountCents),
      basisPoints: values.per === 'rent' ? hundredths(values.basisPoints) : null,
      taxable: values.taxable && values.kind === 'fee',
      minNights: count(values.minNights),
      maxNights: count(values.maxNights),
      validFrom: values.validFrom || null,
      validTo: values.validTo || null,
    }),
  )
  .pipe(feeRuleForm)
export type FeeFormValues = z.input<typeof feeFormSchema>

export const taxFormSchema = z
  .object({
    name: text,
    authority: text,
    basisPoints: text,
    onRent: flag,
    onFees: flag,
    maxMonths: text,
    maxNights: text,
    validFrom: text,
    validTo: text,
  })
  .transform(
    (values): z.input<typeof taxRuleForm> => ({
      ...values,
      basisPoints: hundredths(values.basisPoints) ?? Number.NaN,
      maxMonths: count(values.maxMonths),
      maxNights: count(values.maxNights),
      validFrom: values.validFrom || null,
      validTo: values.validTo || null,
    }),
  )
  .pipe(taxRuleForm)
export type TaxFormValues = z.input<typeof taxFormSchema>

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
