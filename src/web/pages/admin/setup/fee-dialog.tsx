import { useWatch } from 'react-hook-form'
import type { FeeRule } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type FieldPropsOf, fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { feeUnitTexts } from '../price-labels.ts'
import { emptyFee, exampleFee, type FeeFormValues, feeFormSchema, toFeeFormValues } from './rule-form.ts'
import { type RuleDialogProps, StayLimits, useInvalidateRules, ValidityFields } from './rule-list-card.tsx'

/** Adds or changes a fee or a discount. */
export function FeeDialog({ edited, onClose }: RuleDialogProps<FeeRule>) {
  const create = api.charges.createFee.useMutation()
  const update = api.charges.updateFee.useMutation()
  const invalidate = useInvalidateRules()
  const stored = typeof edited === 'object' ? edited : undefined
  const form = useZodForm(
    feeFormSchema,
    stored ? toFeeFormValues(stored) : edited === 'example' ? exampleFee : emptyFee,
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
      <PriceFields field={field} per={per} />
      <ConditionFields field={field} kind={kind} />
      <StayLimits>
        <NightFields field={field} />
        <ValidityFields from={field('validFrom')} to={field('validTo')} />
      </StayLimits>
    </FormDialog>
  )
}

type FieldsProps = { field: FieldPropsOf<FeeFormValues> }

/** The amount and its unit. */
function PriceFields({ field, per }: FieldsProps & { per: FeeFormValues['per'] }) {
  return (
    <>
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

function ConditionFields({ field, kind }: FieldsProps & { kind: FeeFormValues['kind'] }) {
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

function NightFields({ field }: FieldsProps) {
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
