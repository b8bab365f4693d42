import { useWatch } from 'react-hook-form'
import { type FeeUnit, formatBasisPoints } from '../../../../domain/charge.ts'
import type { FeeRule } from '../../../../domain/charge-rule.ts'
import { formatCents } from '../../../../domain/money.ts'
import { plural } from '../../../../domain/plural.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { describeValidity, emptyFee, exampleFee, typedFee, typedFeeOf } from './rule-form.ts'
import { type EditedRule, RuleListCard, useInvalidateRules } from './rule-list-card.tsx'
import { ValidityFields } from './validity-fields.tsx'

const unitLabels: Record<FeeUnit, string> = {
  stay: 'per stay',
  night: 'per night',
  guest: 'per guest',
  guest_night: 'per guest and night',
  rent: 'of the rent',
}

export function FeesCard() {
  const query = api.charges.listFees.useQuery(undefined, { select: ({ fees }) => fees })
  const remove = api.charges.removeFee.useMutation()
  return (
    <RuleListCard
      title="Fees and Discounts"
      subtitle="What a stay costs besides the rent. A change counts for new estimates and leases."
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
  const { amountCents, basisPoints, kind, maxNights, minNights, per, refundable, required, taxable } = rule
  const amount = per === 'rent' ? formatBasisPoints(basisPoints ?? 0) : formatCents(amountCents ?? 0)
  return [
    `${kind === 'discount' ? 'Discount of ' : ''}${amount} ${unitLabels[per]}`,
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
    typedFee,
    stored ? typedFeeOf(stored) : edited === 'example' ? exampleFee : emptyFee,
  )
  const field = fieldPropsOf(form)
  const [kind, per] = useWatch({ control: form.control, name: ['kind', 'per'] })
  const submission = useSubmit(form, 'Failed to save fee', async fee => {
    if (stored) await update.mutateAsync({ id: stored.id, ...fee })
    else await create.mutateAsync(fee)
    toast.success('Fee saved')
    void invalidate()
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
          label="Counted"
          hint="Example: $12.50 of linen per guest is $25.00 for two guests."
          {...field('per')}
        >
          {Object.entries(unitLabels).map(([unit, label]) => (
            <option key={unit} value={unit}>
              {unit === 'rent' ? 'as a share of the rent' : label}
            </option>
          ))}
        </SelectField>
      </div>
      {per === 'rent' ? (
        <TextField
          label="Percent of the rent"
          required
          inputMode="decimal"
          hint="Example: 5 takes $90.00 of a rent of $1,800.00."
          {...field('basisPoints')}
        />
      ) : (
        <MoneyField
          label="Amount"
          required
          hint="In dollars. Example: 150 for one cleaning at the end of the stay."
          {...field('amountCents')}
        />
      )}
      <CheckboxField
        label="Required"
        hint="In every estimate and lease it applies to. Example: cleaning. Without it, you choose it when you generate a lease. Example: a pet fee."
        {...field('required')}
      />
      {kind === 'fee' && (
        <CheckboxField
          label="Taxable"
          hint="Taxes on fees count it in. Example: at 6%, a taxable fee of $150.00 adds $9.00 of tax."
          {...field('taxable')}
        />
      )}
      <CheckboxField
        label="Refundable"
        hint="A note for you when a stay is cancelled; no sum depends on it. Example: a cleaning fee before the arrival."
        {...field('refundable')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          {...nights}
          label="From nights"
          hint="Only for stays of at least so many. Example: 28 for a monthly discount. Empty: any."
          {...field('minNights')}
        />
        <TextField
          {...nights}
          label="Up to nights"
          hint="Only for stays of at most so many. Example: 6 for a fee on short stays. Empty: any."
          {...field('maxNights')}
        />
      </div>
      <ValidityFields from={field('validFrom')} to={field('validTo')} />
    </FormDialog>
  )
}
