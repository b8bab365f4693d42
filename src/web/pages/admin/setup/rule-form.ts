import { z } from 'zod'
import { feeKinds, feeUnits } from '../../../../domain/charge.ts'
import { type FeeRule, feeRuleForm, type TaxRule, taxRuleForm } from '../../../../domain/charge-rule.ts'
import { parseDollars, toDollarText } from '../../../features/payments/dollar-amount.ts'

// The forms hold what was typed: amounts in dollars, rates in percent, nothing as an empty text.

/** Two decimals make cents of dollars, and hundredths of a percent of percent. */
const hundredths = (text: string) => (text.trim() === '' ? null : (parseDollars(text) ?? Number.NaN))
const count = (text: string) => (text.trim() === '' ? null : Number(text))
const textOf = (value: number | string | null) => String(value ?? '')
const hundredthsText = (value: number | null) => (value === null ? '' : toDollarText(value))

const text = z.string()
const flag = z.boolean()

/** A fee as it is typed; what its unit does not need is left out. */
export const typedFee = z
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
export type TypedFee = z.input<typeof typedFee>

export const typedTax = z
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
export type TypedTax = z.input<typeof typedTax>

export const emptyFee: TypedFee = {
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
export const exampleFee: TypedFee = { ...emptyFee, name: 'Cleaning fee', amountCents: '150', taxable: true }

export const emptyTax: TypedTax = {
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
export const exampleTax: TypedTax = {
  ...emptyTax,
  name: 'State tax',
  authority: 'Florida',
  basisPoints: '6',
  maxMonths: '6',
}

export const typedFeeOf = (rule: FeeRule): TypedFee => ({
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
  ...typedValidityOf(rule),
})

export const typedTaxOf = (rule: TaxRule): TypedTax => ({
  name: rule.name,
  authority: rule.authority,
  basisPoints: hundredthsText(rule.basisPoints),
  onRent: rule.onRent,
  onFees: rule.onFees,
  maxMonths: textOf(rule.maxMonths),
  maxNights: textOf(rule.maxNights),
  ...typedValidityOf(rule),
})

type Validity = { validFrom: string | null; validTo: string | null }

const typedValidityOf = ({ validFrom, validTo }: Validity) => ({
  validFrom: textOf(validFrom),
  validTo: textOf(validTo),
})
