import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import { type TaxRule, taxRuleForm } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import {
  count,
  describeValidity,
  hundredths,
  hundredthsText,
  RuleListCard,
  textOf,
} from './rule-list-card.tsx'

export function TaxesCard() {
  return (
    <RuleListCard
      title="Taxes"
      subtitle="Never on the deposit. Changes apply to new estimates and leases."
      noun="Tax"
      nouns="taxes"
      query={api.chargeRules.listTaxes.useQuery(undefined, { select: ({ taxes }) => taxes })}
      emptyHint="Ask your state and county which taxes apply to a stay."
      detailsOf={describeTax}
      dialogTitle="tax"
      schema={taxForm}
      valuesOf={valuesOf}
      empty={empty}
      example={{ ...empty, name: 'State tax', authority: 'Florida', basisPoints: '6', maxMonths: '6' }}
      create={api.chargeRules.createTax.useMutation()}
      update={api.chargeRules.updateTax.useMutation()}
      remove={api.chargeRules.removeTax.useMutation()}
      fields={<RateFields />}
      limits={<LimitFields />}
    />
  )
}

function describeTax(rule: TaxRule): string[] {
  const { authority, basisPoints, maxMonths, maxNights, onFees, onRent } = rule
  const base = onRent && onFees ? 'rent and taxable fees' : onRent ? 'rent' : 'taxable fees'
  return [
    `${formatBasisPoints(basisPoints)} of ${base}`,
    authority,
    ...(maxMonths ? [`Stays up to ${plural(maxMonths, 'month')}`] : []),
    ...(maxNights ? [`Stays up to ${plural(maxNights, 'night')}`] : []),
    ...describeValidity(rule),
  ]
}

const taxForm = z
  .object({
    name: z.string(),
    authority: z.string(),
    basisPoints: z.string(),
    onRent: z.boolean(),
    onFees: z.boolean(),
    maxMonths: z.string(),
    maxNights: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
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
type TaxFormValues = z.input<typeof taxForm>

const empty: TaxFormValues = {
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

const valuesOf = (rule: TaxRule): TaxFormValues => ({
  ...rule,
  basisPoints: hundredthsText(rule.basisPoints),
  maxMonths: textOf(rule.maxMonths),
  maxNights: textOf(rule.maxNights),
  validFrom: textOf(rule.validFrom),
  validTo: textOf(rule.validTo),
})

/** What is taxed, by whom, and at which rate. */
function RateFields() {
  const field = fieldPropsOf(useFormContext<TaxFormValues>())
  return (
    <>
      <TextField
        label="Name"
        required
        hint="Guests read it in the estimate and the lease."
        {...field('name')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Authority"
          required
          hint="Who collects it. Each can have one tax at a time; for a second one, name its office."
          {...field('authority')}
        />
        <TextField
          label="Percent"
          required
          inputMode="decimal"
          hint="Up to two decimals. Example: 6.25 is $62.50 on $1,000.00."
          {...field('basisPoints')}
        />
      </div>
      <CheckboxField label="On the rent" hint="After discounts" {...field('onRent')} />
      <CheckboxField label="On taxable fees" {...field('onFees')} />
    </>
  )
}

function LimitFields() {
  const field = fieldPropsOf(useFormContext<TaxFormValues>())
  const limit = { type: 'number', inputMode: 'numeric', min: 1, step: 1 } as const
  return (
    <>
      <TextField
        {...limit}
        label="Maximum months"
        hint="Where longer rentals are exempt"
        {...field('maxMonths')}
      />
      <TextField {...limit} label="Maximum nights" hint="Instead of months" {...field('maxNights')} />
    </>
  )
}
