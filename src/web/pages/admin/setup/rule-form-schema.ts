import { z } from 'zod'
import { feeKinds, feeUnits } from '../../../../domain/money/charge.ts'
import { feeRuleForm, taxRuleForm } from '../../../../domain/money/charge-rule.ts'
import { parseDollars } from '../../../features/payments/dollar-amount.ts'

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
