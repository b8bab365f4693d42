import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxReasonLength } from '../../../../domain/bookings/availability-reason.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type BulkPanelProps = {
  count: number
  busy: boolean
  onUpdate: (change: { isAvailable: boolean; reason: string }) => void
  onClose: () => void
}

/** Opens or blocks the selected dates, with a reason. */
export function BulkPanel({ count, busy, onUpdate, onClose }: BulkPanelProps) {
  const [setTo, setSetTo] = useState<'available' | 'unavailable'>('available')
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onUpdate({ isAvailable: setTo === 'available', reason })
  }
  return (
    <section aria-label="Bulk update" className="mb-3 border-b border-line pb-4">
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        className="grid items-end gap-x-8 gap-y-3 md:grid-cols-[auto_1fr_auto]"
      >
        <RadioGroupField
          label="Set to"
          name="set-to"
          value={setTo}
          onChange={event =>
            setSetTo(event.currentTarget.value === 'available' ? 'available' : 'unavailable')
          }
          options={[
            { value: 'available', label: 'Available' },
            { value: 'unavailable', label: 'Unavailable' },
          ]}
          // Aligns the options with the field and the buttons next to them.
          className="md:*:last:min-h-11 md:*:last:items-center"
        />
        <TextField
          label="Reason (optional)"
          maxLength={maxReasonLength}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <div className="flex gap-3 max-md:*:grow">
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyLabel="Updating...">
            Update {count} Dates
          </Button>
        </div>
      </form>
    </section>
  )
}
