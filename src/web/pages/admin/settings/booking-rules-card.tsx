import type { ComponentProps } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import {
  type BookingRules,
  type BookingRulesValues,
  bookingRulesFormFor,
} from '../../../../domain/bookings/booking-rules-form.ts'
import { formatWeekdays, weekdayNames } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useGuestLimit } from '../../../api/site.ts'
import { fieldPropsOf, messageAt } from '../../../forms/zod-form.ts'
import { CheckboxField } from '../../../ui/choice-fields.tsx'
import { FieldNotes, labelClass, useFieldIds } from '../../../ui/field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SettingsCard } from './settings-card.tsx'

export function BookingRulesCard() {
  return (
    <RulesCard
      title="Booking rules"
      subtitle="A request that breaks a rule is refused with the reason. The rules do not apply to you."
      itemsOf={itemsOf}
    >
      {() => <RuleFields />}
    </RulesCard>
  )
}

/** Whether guests are held to the min and max stay of the rates (LOOK-57). */
export function StayLengthCard() {
  return (
    <RulesCard
      title="Min and max stay"
      subtitle="Whether guests are held to the nights in the rates above. You can book any length yourself."
      itemsOf={({ stayLength }) => [
        {
          label: 'Shorter or longer stays',
          value: stayLength ? 'Refused, with the reason' : 'Guests can ask for other lengths',
        },
      ]}
    >
      {() => <StayLengthField />}
    </RulesCard>
  )
}

function StayLengthField() {
  return (
    <CheckboxField
      role="switch"
      label="Hold guests to the min and max stay of the rates"
      hint="Example: with a min stay of 7 nights in summer, a request for 5 nights is refused."
      {...fieldPropsOf(useFormContext<BookingRulesValues>())('stayLength')}
    />
  )
}

type RulesCardProps = Pick<
  ComponentProps<typeof SettingsCard<BookingRulesValues, BookingRules, BookingRules>>,
  'title' | 'subtitle' | 'itemsOf' | 'children'
>

/** A part of the booking rules, which are saved as a whole. */
function RulesCard(props: RulesCardProps) {
  const guestLimit = useGuestLimit()
  return (
    <SettingsCard
      {...props}
      settings={api.settings.bookingRules}
      schema={() => bookingRulesFormFor(guestLimit)}
      valuesOf={valuesOf}
      what="booking rules"
      saved="Booking rules saved"
    />
  )
}

const itemsOf = ({ arrivalWeekdays, leadDays, maxGuests, windowDays }: BookingRules) => {
  return [
    { label: 'Arrival days', value: arrivalWeekdays ? formatWeekdays(arrivalWeekdays) : 'Any day' },
    { label: 'Notice', value: leadDays === null ? 'None' : plural(leadDays, 'day') },
    { label: 'Ahead', value: windowDays === null ? 'No limit' : `At most ${plural(windowDays, 'day')}` },
    { label: 'Maximum guests', value: maxGuests ?? 'As many as the condo sleeps' },
  ]
}

function RuleFields() {
  const guestLimit = useGuestLimit()
  const field = fieldPropsOf(useFormContext<BookingRulesValues>())
  const number = { type: 'number', inputMode: 'numeric', step: 1, className: '*:[input]:max-w-36' } as const
  return (
    <>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <TextField
          {...number}
          label="Days of notice"
          hint="How many days before arrival a guest must ask. Example: with 7, nobody can arrive within a week. Leave it empty for no notice."
          min={0}
          {...field('leadDays')}
        />
        <TextField
          {...number}
          label="Days ahead"
          hint="How far ahead a guest can ask. Example: with 365, arrival is within a year. Leave it empty for no limit."
          min={1}
          {...field('windowDays')}
        />
      </div>
      <ArrivalDays />
      <TextField
        {...number}
        label="Maximum guests"
        hint="How many people can stay, applicants included. Example: 2 for couples only. Leave it empty for as many as the condo sleeps."
        min={1}
        max={guestLimit}
        {...field('maxGuests')}
      />
    </>
  )
}

function ArrivalDays() {
  const form = useFormContext<BookingRulesValues>()
  const error = messageAt(form, 'arrivalWeekdays')
  const hint =
    'The days when a stay can begin. Example: only Saturday for weekly stays. Choose none to allow any day.'
  const ids = useFieldIds(undefined, { error, hint })
  const chosen = useWatch({ control: form.control, name: 'arrivalWeekdays' }) ?? []
  const toggle = (day: number) => {
    const days = chosen.includes(day) ? chosen.filter(other => other !== day) : [...chosen, day]
    // Sorted, so that selecting a day and clearing it again is not a change.
    form.setValue('arrivalWeekdays', days.length > 0 ? days.toSorted((a, b) => a - b) : null, {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  }
  return (
    <fieldset aria-describedby={ids.control['aria-describedby']} className="grid min-w-0 gap-1.5">
      <legend className={labelClass}>Arrival days</legend>
      <div className="mt-1.5 grid grid-cols-2 gap-x-5 gap-y-2 sm:grid-cols-4">
        {weekdayNames.map((name, day) => (
          <CheckboxField
            key={name}
            label={name}
            checked={chosen.includes(day)}
            onChange={() => toggle(day)}
          />
        ))}
      </div>
      <FieldNotes ids={ids} error={error} hint={hint} />
    </fieldset>
  )
}

/** The values of the inputs; settings that are not set are empty. */
function valuesOf({
  leadDays,
  windowDays,
  maxGuests,
  arrivalWeekdays,
  ...rules
}: BookingRules): BookingRulesValues {
  const text = (value: number | null) => (value === null ? '' : String(value))
  return {
    ...rules,
    leadDays: text(leadDays),
    windowDays: text(windowDays),
    maxGuests: text(maxGuests),
    arrivalWeekdays: arrivalWeekdays?.toSorted((a, b) => a - b) ?? null,
  }
}
