import type { TaxRule } from '../../../../domain/money/charge-rule.ts'
import { api } from '../../../api/api.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import { type FieldPropsOf, fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { emptyTax, exampleTax, type TaxFormValues, taxFormSchema, toTaxFormValues } from './rule-form.ts'
import { type RuleDialogProps, StayLimits, useInvalidateRules, ValidityFields } from './rule-list-card.tsx'

/** Adds or changes a tax. */
export function TaxDialog({ edited, onClose }: RuleDialogProps<TaxRule>) {
  const create = api.charges.createTax.useMutation()
  const update = api.charges.updateTax.useMutation()
  const invalidate = useInvalidateRules()
  const stored = typeof edited === 'object' ? edited : undefined
  const form = useZodForm(
    taxFormSchema,
    stored ? toTaxFormValues(stored) : edited === 'example' ? exampleTax : emptyTax,
  )
  const field = fieldPropsOf(form)
  const submission = useSubmit(form, 'Failed to save tax', async tax => {
    if (stored) await update.mutateAsync({ id: stored.id, ...tax })
    else await create.mutateAsync(tax)
    toast.success('Tax saved')
    await invalidate()
    onClose()
  })
  return (
    <FormDialog {...submission} title={stored ? 'Edit Tax' : 'Add Tax'} submitLabel="Save" onClose={onClose}>
      <RateFields field={field} />
      <StayLimits>
        <LimitFields field={field} />
        <ValidityFields from={field('validFrom')} to={field('validTo')} />
      </StayLimits>
    </FormDialog>
  )
}

type FieldsProps = { field: FieldPropsOf<TaxFormValues> }

/** What is taxed, by whom, and at which rate. */
function RateFields({ field }: FieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        required
        hint="Guests read it in the estimate and the lease. Example: State tax."
        {...field('name')}
      />
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Authority"
          required
          hint="Who collects it. Each can have one tax at a time; for a second one, name its office. Example: Bay County."
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
      <CheckboxField
        label="On the rent"
        hint="After discounts. Example: 6% of a rent of $1,800.00 is $108.00."
        {...field('onRent')}
      />
      <CheckboxField
        label="On taxable fees"
        hint="Example: 6% of a taxable cleaning fee of $150.00 is $9.00."
        {...field('onFees')}
      />
    </>
  )
}

function LimitFields({ field }: FieldsProps) {
  const limit = { type: 'number', inputMode: 'numeric', min: 1, step: 1 } as const
  return (
    <>
      <TextField
        {...limit}
        label="Maximum months"
        hint="Example: 6, where longer rentals are exempt."
        {...field('maxMonths')}
      />
      <TextField
        {...limit}
        label="Maximum nights"
        hint="Instead of months. Examples: 182, or 6 for stays under a week."
        {...field('maxNights')}
      />
    </>
  )
}
