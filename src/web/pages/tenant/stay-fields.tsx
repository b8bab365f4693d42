import { useFormContext, useWatch } from 'react-hook-form'
import { addDays, type CalendarDate, type DateRange, isCalendarDate } from '../../../domain/dates.ts'
import { formatNights } from '../../../domain/stay.ts'
import { api } from '../../api/api.ts'
import { StayCalendar } from '../../features/stays/stay-calendar.tsx'
import type { StaySelection } from '../../features/stays/stay-selection.ts'
import { Notice } from '../../ui/notice.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { FormValues } from './application-draft.ts'

/** Arrival and departure, typed or picked, with the days beside that cannot be had. */
export function StayFields({ today }: { today: CalendarDate }) {
  const { register, formState, setValue, getValues } = useFormContext<FormValues>()
  const { errors, isSubmitted } = formState
  const [start, end] = useWatch<FormValues, ['requestedStartDate', 'requestedEndDate']>({
    name: ['requestedStartDate', 'requestedEndDate'],
  })

  const pick = (selection: StaySelection | undefined) => {
    const options = { shouldDirty: true, shouldValidate: isSubmitted }
    setValue('requestedStartDate', selection?.start ?? '', options)
    setValue('requestedEndDate', selection?.end ?? '', options)
  }

  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Desired lease start date"
          type="date"
          required
          min={today}
          error={errors.requestedStartDate?.message}
          {...register('requestedStartDate', {
            deps: 'requestedEndDate',
            onChange: () => {
              const [newStart, oldEnd] = getValues(['requestedStartDate', 'requestedEndDate'])
              if (newStart && oldEnd && oldEnd <= newStart)
                setValue('requestedEndDate', '', { shouldDirty: true, shouldValidate: isSubmitted })
            },
          })}
        />
        <TextField
          label="Desired lease end date"
          type="date"
          required
          min={isCalendarDate(start) ? start : today}
          error={errors.requestedEndDate?.message}
          {...register('requestedEndDate')}
        />
      </div>
      <TakenNights stay={chosenStayOf(start, end)} />
      <StayCalendar today={today} selection={selectionOf(start, end)} onSelect={pick} />
    </>
  )
}

/** What submitting would refuse, said while there is still time to move the dates. */
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

/** The whole stay once both dates are there and in order. */
export function chosenStayOf(start: string, end: string): DateRange | undefined {
  return isCalendarDate(start) && isCalendarDate(end) && start < end ? { start, end } : undefined
}

function selectionOf(start: string, end: string): StaySelection | undefined {
  if (!isCalendarDate(start)) return undefined
  return chosenStayOf(start, end) ?? { start }
}
