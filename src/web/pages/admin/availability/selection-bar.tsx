import { CalendarCog, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxReasonLength } from '../../../../domain/bookings/availability-reason.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import type { selectionState } from './day-state.ts'

type SelectionBarProps = {
  count: number
  /** The current state of the selected dates. */
  state: ReturnType<typeof selectionState>
  busy: boolean
  /** Resolves to whether the dates were updated. */
  onUpdate: (change: { isAvailable: boolean; reason: string }) => Promise<boolean>
  onClear: () => void
}

/** The actions for the selected dates, below the calendar; sticky while dates are selected. */
export function SelectionBar({ count, state, busy, onUpdate, onClear }: SelectionBarProps) {
  const [panelOpen, setPanelOpen] = useState(false)
  const bulkButton = useRef<HTMLButtonElement>(null)
  const closePanel = () => {
    setPanelOpen(false)
    bulkButton.current?.focus()
  }
  const update = async (change: { isAvailable: boolean; reason: string }) => {
    if (await onUpdate(change)) setPanelOpen(false)
  }
  const isInSight = count > 0 || panelOpen
  return (
    <div
      className={classNames(
        'rounded-b-card border-t border-line bg-white px-4 py-3 sm:px-6',
        isInSight && 'sticky bottom-0 z-10 shadow-[0_-6px_16px_-10px_rgb(30_53_82/0.35)]',
      )}
    >
      {panelOpen && (
        <BulkPanel count={count} busy={busy} onUpdate={change => void update(change)} onClose={closePanel} />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2.5">
        <div className="flex min-h-11 items-center gap-1">
          <p
            aria-live="polite"
            className={count > 0 ? 'font-semibold whitespace-nowrap text-navy' : 'text-muted'}
          >
            {count > 0 ? plural(count, 'date') : 'No dates selected'}
          </p>
          {count > 0 && (
            <Button variant="ghost" size="sm" onClick={onClear}>
              <X aria-hidden className="sm:hidden" />
              <span className="max-sm:sr-only">Clear selection</span>
            </Button>
          )}
        </div>
        <div className={classNames('contents sm:flex sm:gap-3', count > 0 && 'max-sm:*:first:order-last')}>
          {count > 0 && !panelOpen && <SetButtons state={state} busy={busy} onUpdate={update} />}
          <Button
            ref={bulkButton}
            variant={count > 0 ? 'ghost' : 'secondary'}
            disabled={count === 0}
            aria-expanded={panelOpen}
            onClick={() => setPanelOpen(true)}
          >
            <CalendarCog aria-hidden />
            Bulk Update ({count})
          </Button>
        </div>
      </div>
    </div>
  )
}

type SetButtonsProps = Pick<SelectionBarProps, 'state' | 'busy'> & {
  onUpdate: (change: { isAvailable: boolean; reason: string }) => Promise<void>
}

/**
 * Buttons to change the dates immediately, without a reason. The primary button is the state that the dates do not
 * have.
 */
function SetButtons({ state, busy, onUpdate }: SetButtonsProps) {
  return (
    <div className="flex gap-3 max-sm:w-full max-sm:*:grow">
      {(['available', 'unavailable'] as const).map(value => (
        <Button
          key={value}
          variant={state !== 'mixed' && state !== value ? 'primary' : 'secondary'}
          disabled={busy || state === value}
          onClick={() => void onUpdate({ isAvailable: value === 'available', reason: '' })}
        >
          {value === 'available' ? 'Available' : 'Unavailable'}
        </Button>
      ))}
    </div>
  )
}

type BulkPanelProps = {
  count: number
  busy: boolean
  onUpdate: (change: { isAvailable: boolean; reason: string }) => void
  onClose: () => void
}

/** Opens or blocks the selected dates, with a reason. */
function BulkPanel({ count, busy, onUpdate, onClose }: BulkPanelProps) {
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
