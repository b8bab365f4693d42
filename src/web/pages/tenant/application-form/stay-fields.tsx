import { useFormContext, useWatch } from 'react-hook-form'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  isCalendarDate,
} from '../../../../domain/common/dates.ts'
import { formatNights } from '../../../../domain/common/stay.ts'
import { api } from '../../../api/api.ts'
import { shortFieldPairClass } from '../../../features/applications/person-fields.tsx'
import { ApplicationCalendar } from '../../../features/stays/application-calendar.tsx'
import { type StaySelection, typedSelection, typedStay } from '../../../features/stays/stay-selection.ts'
import { useBookingRules } from '../../../features/stays/use-booking-rules.ts'
import { fieldPropsOf } from '../../../forms/zod-form.ts'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import type { FormValues } from './application-draft.ts'

/** Arrival and departure, typed or chosen in the calendar. */
export function StayFields({ today }: { today: CalendarDate }) {
  const form = useFormContext<FormValues>()
  const { formState, getValues } = form
  const field = fieldPropsOf(form)
  const { brokenRules, arrivalError, isLoading } = useBookingRules()
  const start = useWatch({ control: form.control, name: 'requestedStartDate' })
  const end = useWatch({ control: form.control, name: 'requestedEndDate' })

  const setValue = (name: 'requestedStartDate' | 'requestedEndDate', date: string) =>
    form.setValue(name, date, { shouldDirty: true, shouldValidate: formState.isSubmitted })
  const pick = (selection: StaySelection | undefined) => {
    setValue('requestedStartDate', selection?.start ?? '')
    setValue('requestedEndDate', selection?.end ?? '')
  }

  const broken = brokenRules({ start, end })
  const startField = field('requestedStartDate', {
    deps: 'requestedEndDate',
    onChange: () => {
      const { requestedStartDate: newStart, requestedEndDate: oldEnd } = getValues()
      if (newStart && oldEnd && oldEnd <= newStart) setValue('requestedEndDate', '')
    },
  })
  const endField = field('requestedEndDate')
  const problemOf = (part: 'start' | 'end') => broken.find(({ about }) => about === part)?.message

  return (
    <>
      <div className={`${shortFieldPairClass} max-sm:[&_label]:min-h-[2lh] max-sm:[&_label]:text-balance`}>
        <TextField
          label="Desired lease start date"
          type="date"
          required
          min={today}
          {...startField}
          error={startField.error ?? problemOf('start')}
        />
        <TextField
          label="Desired lease end date"
          type="date"
          required
          min={isCalendarDate(start) ? start : today}
          {...endField}
          error={endField.error ?? problemOf('end')}
        />
      </div>
      <p role="status" className="sr-only">
        {broken.map(({ message }) => message).join(' ')}
      </p>
      <TakenNights stay={typedStay(start, end)} />
      <ApplicationCalendar
        today={today}
        selection={typedSelection(start, end)}
        onSelect={pick}
        arrivalError={arrivalError}
        hasRules={!isLoading}
      />
    </>
  )
}

/** Warns early about dates that the server would refuse. */
function TakenNights({ stay }: { stay: DateRange | undefined }) {
  const range = { startDate: stay?.start ?? '', endDate: stay ? addDays(stay.end, -1) : '' }
  const days = api.availability.range.useQuery(range, { enabled: stay !== undefined })
  const taken = days.data?.availability.filter(day => !day.isAvailable).map(day => day.date) ?? []
  return (
    <div role="status" className="contents">
      {stay && taken.length > 0 && (
        <Notice tone="warning" title="Some of these nights are not available">
          {formatNights(taken)}. Please choose other dates.
        </Notice>
      )}
    </div>
  )
}
