import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxReasonLength } from '../../../../domain/availability-reason.ts'
import { plural } from '../../../../domain/plural.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'

type BulkPanelProps = {
  count: number
  busy: boolean
  onUpdate: (change: { isAvailable: boolean; reason: string }) => void
  onCancel: () => void
}

export function BulkPanel({ count, busy, onUpdate, onCancel }: BulkPanelProps) {
  const [setTo, setSetTo] = useState<'available' | 'unavailable'>('available')
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    onUpdate({ isAvailable: setTo === 'available', reason })
  }
  return (
    <Card aria-label="Bulk update" className="mb-6">
      <CardHeader title="Bulk Update" subtitle={plural(count, 'selected date')} />
      <CardBody>
        <form ref={form} noValidate onSubmit={submit} className="flex flex-wrap items-end gap-x-8 gap-y-5">
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
            className="min-h-11 justify-center"
          />
          <TextField
            label="Reason (optional)"
            className="min-w-56 grow"
            maxLength={maxReasonLength}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
          <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow">
            <Button variant="secondary" disabled={busy} onClick={onCancel}>
              Cancel
            </Button>
            <Button type="submit" busy={busy} busyLabel="Updating...">
              Update {count} Dates
            </Button>
          </div>
        </form>
      </CardBody>
    </Card>
  )
}
