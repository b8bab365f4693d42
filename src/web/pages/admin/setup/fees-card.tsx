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
import { describeValidity, RuleListCard } from './rule-list-card.tsx'
import { count, hundredths, hundredthsText, textOf } from './rule-values.ts'

export function FeesCard() {
  return (
    <RuleListCard
      title="Fees and Discounts"
      subtitle="What a stay costs besides the rent. Changes apply to new estimates and leases."
      noun="Fee"
      nouns="fees"
      query={api.chargeRules.listFees.useQuery(undefined, { select: ({ fees }) => fees })}
      emptyHint="A stay costs only the rent."
      detailsOf={describeFee}
      dialogTitle="Fee or Discount"
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
        hint="Guests read it in the estimate and the lease. Example: Cleaning fee."
        {...field('name')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="Kind"
          hint="A discount lowers the rent. Example: 5% off for early bookings."
          {...field('kind')}
        >
          <option value="fee">Fee</option>
          <option value="discount">Discount</option>
        </SelectField>
        <SelectField
          label="Charged"
          hint="Example: linens at $12.50 per guest are $25.00 for two guests."
          {...field('per')}
        >
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
          hint="In dollars. Example: 150 for cleaning after a stay."
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
        hint="Part of every estimate and lease, such as cleaning. Otherwise you choose it when you generate a lease, such as a pet fee."
        {...field('required')}
      />
      {kind === 'fee' && (
        <CheckboxField
          label="Taxable"
          hint="Taxes on fees include it. Example: at 6%, a fee of $150.00 adds $9.00 of tax."
          {...field('taxable')}
        />
      )}
      <CheckboxField
        label="Refundable"
        hint="A note for you when a stay is canceled; it does not change any amount. Example: a cleaning fee before the arrival."
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
      <TextField
        {...nights}
        label="Minimum nights"
        hint="Example: 28 for a monthly discount."
        {...field('minNights')}
      />
      <TextField
        {...nights}
        label="Maximum nights"
        hint="Example: 6 for a fee on short stays."
        {...field('maxNights')}
      />
    </>
  )
}
