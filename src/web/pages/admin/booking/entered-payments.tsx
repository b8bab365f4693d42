import { Plus } from 'lucide-react'
import { useFormContext } from 'react-hook-form'
import type { BookingEntryValues } from '../../../../domain/bookings/booking-entry.ts'
import { maxEntryPayments } from '../../../../domain/bookings/booking-entry.ts'
import { paymentTypeLabels } from '../../../../domain/money/ledger.ts'
import { manualTypes } from '../../../../domain/money/payment.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useRows } from '../../../forms/use-rows.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { FormRow } from '../../../ui/form-row.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'
import { asCents } from '../application/money-values.ts'

/** The payments of a booking that the owner enters. Needs the booking form's FormProvider. */
export function EnteredPayments() {
  const { control } = useFormContext<BookingEntryValues>()
  const { addButton, append, fields, remove } = useRows({ control, name: 'payments' })
  const today = useToday()
  return (
    <div className="grid justify-items-start gap-5">
      {fields.map(({ id }, index) => (
        <Payment key={id} index={index} today={today} onRemove={() => remove(index)} />
      ))}
      <Button
        ref={addButton}
        variant="secondary"
        disabled={fields.length >= maxEntryPayments}
        onClick={() =>
          append({ amount: Number.NaN, paymentType: 'rent', paymentDate: today, checkNumber: '' })
        }
      >
        <Plus aria-hidden />
        Add Payment
      </Button>
    </div>
  )
}

type PaymentProps = { index: number; today: string; onRemove: () => void }

function Payment({ index, today, onRemove }: PaymentProps) {
  const field = fieldPropsOf(useFormContext<BookingEntryValues>())
  return (
    <FormRow noun="Payment" index={index} onRemove={onRemove}>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField label="Amount" required {...field(`payments.${index}.amount`, asCents)} />
        <SelectField label="Payment type" required {...field(`payments.${index}.paymentType`)}>
          {manualTypes.map(type => (
            <option key={type} value={type}>
              {paymentTypeLabels[type]}
            </option>
          ))}
        </SelectField>
        <TextField label="Payment date" type="date" max={today} {...field(`payments.${index}.paymentDate`)} />
        <TextField label="Check number" autoComplete="off" {...field(`payments.${index}.checkNumber`)} />
      </div>
    </FormRow>
  )
}
