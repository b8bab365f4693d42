import { CalendarSync } from 'lucide-react'
import { Link } from 'wouter'
import { maxTurnoverNights } from '../../../../domain/turnover.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Reload, SectionForm, useSectionForm } from './section-form.tsx'
import { SetupCard } from './setup-card.tsx'

type Saved = Outputs['setup']['calendar']['get']

/** Leads to the calendars, and sets the nights between two stays. */
export function CalendarsCard() {
  const query = api.setup.calendar.get.useQuery()
  return (
    <SetupCard
      title="Calendars"
      subtitle="So that no night is booked twice on Airbnb, Vrbo and here"
      action={
        <Button variant="secondary" asChild>
          <Link href={paths.adminCalendars}>
            <CalendarSync aria-hidden />
            Open Calendars
          </Link>
        </Button>
      }
    >
      <QueryView query={query} loading="Loading..." error="Failed to load turnover nights">
        {saved => <TurnoverForm saved={saved} reload={query.refetch} />}
      </QueryView>
    </SetupCard>
  )
}

const valuesOf = ({ turnoverNights }: Saved['body']) => ({ turnoverNights: String(turnoverNights) })

function TurnoverForm({ saved, reload }: { saved: Saved; reload: Reload<Saved> }) {
  const utils = api.useUtils()
  const save = api.setup.calendar.save.useMutation()
  const form = useZodForm(
    () => import('./typed-turnover.ts').then(m => m.typedTurnover),
    valuesOf(saved.body),
  )
  const field = fieldPropsOf(form)
  const section = useSectionForm({
    form,
    saved,
    reload,
    valuesOf,
    failedText: 'Failed to save turnover nights',
    save: async change => {
      const now = await save.mutateAsync(change)
      utils.setup.calendar.get.setData(undefined, now)
      toast.success('Turnover nights saved')
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
