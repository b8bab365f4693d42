import { Plus } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { maxExtraLines } from '../../../../domain/leases/lease-generation.ts'
import type { Outputs } from '../../../api/api.ts'
import { useRows } from '../../../forms/use-rows.ts'
import { type FieldPropsOf, fieldPropsOf, type ZodForm } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { CheckboxField, SelectField } from '../../../ui/choice-fields.tsx'
import { FormRow } from '../../../ui/form-row.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { describeFeePrice } from '../fee-price.ts'
import type { LeaseFormValues } from './lease-form.ts'

export type Fee = Outputs['leases']['terms']['fees'][number]

type FeeChoiceProps = {
  fees: readonly Fee[]
  chosen: readonly string[]
  onChange: (id: string, isChosen: boolean) => void
}

/** Checkboxes for the fees and discounts that apply to the selected dates. */
export function FeeChoice({ fees, chosen, onChange }: FeeChoiceProps) {
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-2.5 font-semibold text-navy">Fees and discounts</legend>
      {fees.map(fee => (
        <CheckboxField
          key={fee.id}
          label={
            <>
              {fee.name} <span className="text-muted">{describeFeePrice(fee)}</span>
            </>
          }
          checked={chosen.includes(fee.id)}
          onChange={event => onChange(fee.id, event.target.checked)}
        />
      ))}
    </fieldset>
  )
}

/** Fees and discounts of this lease only. If there are none, shows only the Add button. */
export function ExtraLines<Output>({ form }: { form: ZodForm<LeaseFormValues, Output> }) {
  const { addButton, append, fields, remove } = useRows({ control: form.control, name: 'extraLines' })
  const extraLines = useWatch({ control: form.control, name: 'extraLines' })
  const field = fieldPropsOf(form)
  return (
    <>
      {fields.map(({ id }, index) => (
        <ExtraLine
          key={id}
          field={field}
          index={index}
          isFee={extraLines?.[index]?.kind === 'fee'}
          onRemove={() => remove(index)}
        />
      ))}
      {fields.length < maxExtraLines ? (
        <Button
          ref={addButton}
          size="sm"
          variant="secondary"
          className="justify-self-start"
          onClick={() => append({ kind: 'fee', label: '', amountCents: '', taxable: false })}
        >
          <Plus aria-hidden />
          Add a line
        </Button>
      ) : (
        <p className="text-[0.9375rem] text-muted">At most {maxExtraLines} lines can be added.</p>
      )}
    </>
  )
}

type ExtraLineProps = {
  field: FieldPropsOf<LeaseFormValues>
  index: number
  isFee: boolean
  onRemove: () => void
}

function ExtraLine({ field, index, isFee, onRemove }: ExtraLineProps) {
  const name = `extraLines.${index}` as const
  return (
    <FormRow noun="Line" index={index} onRemove={onRemove}>
      <div className="grid items-start gap-4 sm:grid-cols-[8rem_minmax(0,1fr)_9rem]">
        <SelectField label="Kind" {...field(`${name}.kind`)}>
          <option value="fee">Fee</option>
          <option value="discount">Discount</option>
        </SelectField>
        <TextField label="Label" required autoComplete="off" {...field(`${name}.label`)} />
        <MoneyField label="Amount" required {...field(`${name}.amountCents`)} />
      </div>
      {/* A discount always lowers the taxable amount. */}
      {isFee && <CheckboxField label="Taxable" className="mt-4" {...field(`${name}.taxable`)} />}
    </FormRow>
  )
}
