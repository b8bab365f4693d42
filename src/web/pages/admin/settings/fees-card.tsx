import { useFormContext, useWatch } from 'react-hook-form'
import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { feeKinds, feeUnits } from '../../../../domain/money/charge.ts'
import { type FeeRule, feeRuleForm } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { describeFeePrice, feeUnitTexts } from '../price-labels.ts'
import {
  count,
  describeValidity,
  hundredths,
  hundredthsText,
  RuleListCard,
  textOf,
} from './rule-list-card.tsx'

export function FeesCard() {
  return (
    <RuleListCard
      title="Fees and discounts"
      subtitle="For new estimates and leases. A lease that exists keeps its fees."
      noun="Fee"
      nouns="fees"
      query={api.chargeRules.listFees.useQuery(undefined, { select: ({ fees }) => fees })}
      emptyHint="A stay costs only the rent."
      detailsOf={describeFee}
      dialogTitle="fee or discount"
      schema={feeForm}
      valuesOf={valuesOf}
      empty={empty}
      example={{ ...empty, name: 'Cleaning fee', amountCents: '150', taxable: true }}
      create={api.chargeRules.createFee.useMutation()}
      update={api.chargeRules.updateFee.useMutation()}
      remove={api.chargeRules.removeFee.useMutation()}
      fields={
        <>
          <PriceFields />
          <ConditionFields />
        </>
      }
      limits={<NightFields />}
    />
  )
}

function describeFee(rule: FeeRule): string[] {
  const { maxNights, minNights, refundable, required, taxable } = rule
  return [
    describeFeePrice(rule),
    required ? 'In every estimate' : 'Optional',
    ...(taxable ? ['Taxable'] : []),
    ...(refundable ? ['Refundable'] : []),
    ...(minNights ? [`From ${plural(minNights, 'night')}`] : []),
    ...(maxNights ? [`Up to ${plural(maxNights, 'night')}`] : []),
    ...describeValidity(rule),
  ]
}

/** A fee as typed; fields that its unit does not need are dropped. */
const feeForm = z
  .object({
    kind: z.enum(feeKinds),
    name: z.string(),
    per: z.enum(feeUnits),
    amountCents: z.string(),
    basisPoints: z.string(),
    required: z.boolean(),
    taxable: z.boolean(),
    refundable: z.boolean(),
    minNights: z.string(),
    maxNights: z.string(),
    validFrom: z.string(),
    validTo: z.string(),
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
type FeeFormValues = z.input<typeof feeForm>

const empty: FeeFormValues = {
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

const valuesOf = (rule: FeeRule): FeeFormValues => ({
  ...rule,
  amountCents: hundredthsText(rule.amountCents),
  basisPoints: hundredthsText(rule.basisPoints),
  minNights: textOf(rule.minNights),
  maxNights: textOf(rule.maxNights),
  validFrom: textOf(rule.validFrom),
  validTo: textOf(rule.validTo),
})

/** The name, the amount and its unit. */
function PriceFields() {
  const form = useFormContext<FeeFormValues>()
  const field = fieldPropsOf(form)
  const per = useWatch({ control: form.control, name: 'per' })
  return (
    <>
      <TextField
        label="Name"
        required
        hint="Guests read it in the estimate and the lease."
        {...field('name')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField label="Kind" {...field('kind')}>
          <option value="fee">Fee</option>
          <option value="discount">Discount</option>
        </SelectField>
        <SelectField label="Charged" {...field('per')}>
          {Object.entries(feeUnitTexts).map(([unit, text]) => (
            <option key={unit} value={unit}>
              {text}
            </option>
          ))}
          <option value="rent">as a percentage of the rent</option>
        </SelectField>
      </div>
      {per === 'rent' ? (
        <TextField
          label="Percent of the rent"
          required
          inputMode="decimal"
          hint="Example: 5 is $90.00 on a rent of $1,800.00."
          {...field('basisPoints')}
        />
      ) : (
        <MoneyField
          label="Amount"
          required
          hint="Example: 150 for cleaning after a stay."
          {...field('amountCents')}
        />
      )}
    </>
  )
}

function ConditionFields() {
  const form = useFormContext<FeeFormValues>()
  const field = fieldPropsOf(form)
  const kind = useWatch({ control: form.control, name: 'kind' })
  return (
    <>
      <CheckboxField
        label="Required"
        hint="Part of every estimate and lease. Otherwise you choose it when you generate a lease."
        {...field('required')}
      />
      {kind === 'fee' && <CheckboxField label="Taxable" {...field('taxable')} />}
      <CheckboxField
        label="Refundable"
        hint="A note for you when a stay is cancelled; it does not change any amount."
        {...field('refundable')}
      />
    </>
  )
}

function NightFields() {
  const field = fieldPropsOf(useFormContext<FeeFormValues>())
  const nights = { type: 'number', inputMode: 'numeric', min: 1, step: 1 } as const
  return (
    <>
      <TextField {...nights} label="Minimum nights" {...field('minNights')} />
      <TextField {...nights} label="Maximum nights" {...field('maxNights')} />
    </>
  )
}
