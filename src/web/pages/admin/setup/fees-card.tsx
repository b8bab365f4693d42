import { useWatch } from 'react-hook-form'
import type { FeeRule } from '../../../../domain/charge-rule.ts'
import { plural } from '../../../../domain/plural.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { describeFeePrice, feeUnitTexts } from '../fee-price.ts'
import { describeValidity, emptyFee, exampleFee, typedFeeOf } from './rule-form.ts'
import { type EditedRule, RuleListCard, useInvalidateRules } from './rule-list-card.tsx'
import { StayLimits, ValidityFields } from './stay-limits.tsx'

export function FeesCard() {
  const query = api.charges.listFees.useQuery(undefined, { select: ({ fees }) => fees })
  const remove = api.charges.removeFee.useMutation()
  return (
    <RuleListCard
      title="Fees and Discounts"
      subtitle="What a stay costs besides the rent. Changes apply to new estimates and leases."
      noun="Fee"
      nouns="fees"
      query={query}
      emptyHint="A stay costs its rent alone."
      detailsOf={describeFee}
      remove={({ id }) => remove.mutateAsync({ id })}
      dialog={(edited, onClose) => <FeeDialog edited={edited} onClose={onClose} />}
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

function FeeDialog({ edited, onClose }: { edited: EditedRule<FeeRule>; onClose: () => void }) {
  const create = api.charges.createFee.useMutation()
  const update = api.charges.updateFee.useMutation()
  const invalidate = useInvalidateRules()
  const stored = typeof edited === 'object' ? edited : undefined
  const form = useZodForm(
    () => import('./typed-rule.ts').then(m => m.typedFee),
    stored ? typedFeeOf(stored) : edited === 'example' ? exampleFee : emptyFee,
  )
  const field = fieldPropsOf(form)
  const [kind, per] = useWatch({ control: form.control, name: ['kind', 'per'] })
  const submission = useSubmit(form, 'Failed to save fee', async fee => {
    if (stored) await update.mutateAsync({ id: stored.id, ...fee })
    else await create.mutateAsync(fee)
    toast.success('Fee saved')
    await invalidate()
    onClose()
  })
  const nights = { type: 'number', inputMode: 'numeric', min: 1, step: 1 } as const
  return (
    <FormDialog
      {...submission}
      title={stored ? 'Edit Fee or Discount' : 'Add Fee or Discount'}
      submitLabel="Save"
      onClose={onClose}
    >
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
          hint="Example: linen at $12.50 per guest is $25.00 for two guests."
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
          hint="In dollars. Example: 150 for the cleaning after a stay."
          {...field('amountCents')}
        />
      )}
      <CheckboxField
        label="Required"
        hint="Part of every estimate and lease. Example: cleaning. Otherwise you choose it when you generate a lease. Example: a pet fee."
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
        hint="A note for you when a stay is cancelled; it changes no amount. Example: a cleaning fee before the arrival."
        {...field('refundable')}
      />
      <StayLimits>
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
        <ValidityFields from={field('validFrom')} to={field('validTo')} />
      </StayLimits>
    </FormDialog>
  )
}
