import { CalendarCog, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { maxReasonLength } from '../../../../domain/bookings/availability-reason.ts'
import { type CalendarDate, formatShortDate, nightsBetween } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { Button } from '../../../ui/button.tsx'
import { RadioGroupField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import type { selectionState } from './day-state.ts'
import type { useDateSelection } from './use-admin-availability.ts'

type SelectionBarProps = {
  selection: ReturnType<typeof useDateSelection>
  /** The first and the last day that can be chosen. */
  first: CalendarDate
  last: CalendarDate
  /** Selects the days from one to the other instead. */
  onRange: (from: CalendarDate, to: CalendarDate) => void
  /** The current state of the selected dates. */
  state: ReturnType<typeof selectionState>
  busy: boolean
  /** Resolves to whether the dates were updated. */
  onUpdate: (change: { isAvailable: boolean; reason: string }) => Promise<boolean>
}

/** The actions for the selected dates, below the calendar; sticky while dates are selected. */
export function SelectionBar({ selection, state, busy, onUpdate, ...range }: SelectionBarProps) {
  const { awaitsEnd = false, dates, start } = selection
  const count = dates.size
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
        <BulkPanel
          {...range}
          dates={dates}
          state={state}
          busy={busy}
          onUpdate={change => void update(change)}
          onClose={closePanel}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2.5">
        <div className="flex min-h-11 items-center sm:gap-1">
          <p
            aria-live="polite"
            className={count > 0 ? 'font-semibold whitespace-nowrap text-navy' : 'text-muted'}
          >
            {awaitsEnd ? 'Last date?' : count > 0 ? plural(count, 'date') : 'No dates selected'}
          </p>
          {count > 0 && (
            <Button variant="ghost" size="sm" onClick={selection.clear}>
              <X aria-hidden className="sm:hidden" />
              <span className="max-sm:sr-only">Clear selection</span>
            </Button>
          )}
          {start && (
            <Button
              variant={awaitsEnd ? 'secondary' : 'ghost'}
              size="sm"
              aria-label={`Until… (from ${formatShortDate(start)})`}
              aria-pressed={awaitsEnd}
              onClick={() => selection.awaitEnd(!awaitsEnd)}
            >
              Until…
            </Button>
          )}
        </div>
        <div className="flex flex-wrap gap-2 max-sm:grow max-sm:*:grow sm:gap-3">
          {count > 0 && !panelOpen && <SetButtons state={state} busy={busy} onUpdate={update} />}
          <Button
            ref={bulkButton}
            variant="secondary"
            className="aria-expanded:border-navy aria-expanded:bg-shell"
            disabled={count === 0}
            aria-expanded={panelOpen}
            onClick={() => setPanelOpen(!panelOpen)}
          >
            <CalendarCog aria-hidden className={count > 0 ? 'max-sm:hidden' : undefined} />
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

/** Buttons to change the dates immediately, without a reason, as far as that changes anything. */
function SetButtons({ state, busy, onUpdate }: SetButtonsProps) {
  return (['available', 'unavailable'] as const).map(
    value =>
      state !== value && (
        <Button
          key={value}
          variant={state === 'mixed' ? 'secondary' : 'primary'}
          disabled={busy}
          onClick={() => void onUpdate({ isAvailable: value === 'available', reason: '' })}
        >
          {value === 'available' ? 'Open' : 'Block'}
        </Button>
      ),
  )
}

type BulkPanelProps = Pick<SelectionBarProps, 'first' | 'last' | 'onRange' | 'state'> & {
  dates: ReadonlySet<CalendarDate>
  busy: boolean
  onUpdate: (change: { isAvailable: boolean; reason: string }) => void
  onClose: () => void
}

/** Opens or blocks the selected dates, with a reason. */
function BulkPanel({ dates, state, busy, onUpdate, onClose, ...range }: BulkPanelProps) {
  const [setTo, setSetTo] = useState<'available' | 'unavailable'>('available')
  const [reason, setReason] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('[type=radio]')?.focus(), [])

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
        className="grid items-end gap-x-8 gap-y-3 sm:grid-cols-2 lg:grid-cols-[auto_auto_1fr_auto]"
      >
        <RangeFields {...range} dates={dates} />
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
          className="sm:*:last:min-h-11 sm:*:last:items-center"
        />
        {dates.size > 0 && setTo === state && (
          <p role="status" className="col-span-full text-[0.9375rem] text-muted lg:order-last">
            Already {state}.
          </p>
        )}
        <TextField
          label="Reason (optional)"
          maxLength={maxReasonLength}
          value={reason}
          onChange={event => setReason(event.currentTarget.value)}
        />
        <div className="flex gap-3 max-lg:*:grow">
          <Button variant="secondary" disabled={busy} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" busy={busy} busyLabel="Updating...">
            Update {plural(dates.size, 'Date')}
          </Button>
        </div>
      </form>
    </section>
  )
}

type RangeFieldsProps = Pick<BulkPanelProps, 'dates' | 'first' | 'last' | 'onRange'>

/** The first and the last of the selected dates, which can be typed; empty if there are gaps between them. */
function RangeFields({ dates, first, last, onRange }: RangeFieldsProps) {
  const sorted = [...dates].sort()
  const chosen = { from: sorted[0] ?? '', to: sorted.at(-1) ?? '' }
  const isRange = dates.size > 0 && nightsBetween(chosen.from, chosen.to) < dates.size
  const [typed, setTyped] = useState<typeof chosen>()
  const { from, to } = typed ?? (isRange ? chosen : { from: '', to: '' })
  const type = (end: keyof typeof chosen, date: CalendarDate) => {
    const next = from || to ? { from, to, [end]: date } : { from: date, to: date }
    setTyped(next)
    if (first <= next.from && next.from <= next.to && next.to <= last) onRange(next.from, next.to)
  }
  const field = { type: 'date', min: first, max: last, onBlur: () => setTyped(undefined) } as const
  return (
    <div className="grid grid-cols-2 gap-3">
      {dates.size > 1 && !isRange && (
        <p className="col-span-full text-muted">
          {dates.size === 2 ? sorted.map(formatShortDate).join(' and ') : `${dates.size} days, not in a row`}
        </p>
      )}
      <TextField {...field} label="From" value={from} onChange={({ target }) => type('from', target.value)} />
      <TextField {...field} label="To" value={to} onChange={({ target }) => type('to', target.value)} />
    </div>
  )
}
