import { CalendarSync } from 'lucide-react'
import { Link } from 'wouter'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { SettingsCard } from './settings-card.tsx'
import { TurnoverForm } from './turnover-form.tsx'

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
