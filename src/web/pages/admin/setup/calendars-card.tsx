import { CalendarSync } from 'lucide-react'
import { Link } from 'wouter'
import { z } from 'zod'
import { plural } from '../../../../domain/common/plural.ts'
import { maxTurnoverNights } from '../../../../domain/common/turnover.ts'
import { calendarSection } from '../../../../domain/content/setup.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { SectionForm, SettingsCard, type SettingsFormProps, useSectionForm } from './settings-card.tsx'

/** Links to the calendars, and sets the number of nights between two stays. */
export function CalendarsCard() {
  return (
    <SettingsCard<Outputs['setup']['calendar']['get']>
      title="Calendars"
      subtitle="So that no night is booked twice, on Airbnb, Vrbo or here"
      action={
        <Button variant="secondary" size="sm" asChild>
          <Link href={paths.adminCalendars}>
            <CalendarSync aria-hidden />
            Open Calendars
          </Link>
        </Button>
      }
      query={api.setup.calendar.get.useQuery()}
      error="Failed to load turnover nights"
      itemsOf={({ body: { turnoverNights } }) => [
        {
          label: 'Free for cleaning between two stays',
          value: turnoverNights === 0 ? 'No night' : plural(turnoverNights, 'night'),
        },
      ]}
      form={props => <TurnoverForm {...props} />}
    />
  )
}

/** The number as typed; an empty text is 0. */
const turnoverFormSchema = z
  .object({ turnoverNights: z.string() })
  .transform(
    ({ turnoverNights }): z.input<typeof calendarSection.body> => ({
      turnoverNights: Number(turnoverNights),
    }),
  )
  .pipe(calendarSection.body)

type Saved = Outputs['setup']['calendar']['get']

const toTurnoverFormValues = ({ turnoverNights }: Saved['body']) => ({
  turnoverNights: String(turnoverNights),
})

function TurnoverForm(props: SettingsFormProps<Saved>) {
  const utils = api.useUtils()
  const save = api.setup.calendar.save.useMutation()
  const form = useZodForm(turnoverFormSchema, toTurnoverFormValues(props.saved.body))
  const field = fieldPropsOf(form)
  const section = useSectionForm({
    ...props,
    form,
    valuesOf: toTurnoverFormValues,
    savedText: 'Turnover nights saved',
    failedText: 'Failed to save turnover nights',
    save: async change => {
      const now = await save.mutateAsync(change)
      utils.setup.calendar.get.setData(undefined, now)
      void utils.availability.invalidate()
      void utils.bookings.invalidate()
      return now
    },
  })
  return (
    <SectionForm {...section}>
      <TextField
        label="Turnover nights"
        type="number"
        inputMode="numeric"
        step={1}
        min={0}
        max={maxTurnoverNights}
        className="*:[input]:max-w-36"
        hint="How many nights stay free before and after each stay, for cleaning. Example: with 1, after a departure on June 11 the next guest can arrive on June 12. 0: guests can arrive on the day others leave."
        {...field('turnoverNights')}
      />
    </SectionForm>
  )
}
