import type { BookingRules } from '../../../../domain/bookings/booking-rules-form.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatWeekdays } from '../../../../domain/common/weekdays.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useGuestLimit } from '../../../api/site.ts'
import { BookingRulesForm } from './edit-booking-rules.tsx'
import { SettingsCard } from './settings-card.tsx'

export function BookingRulesCard() {
  const guestLimit = useGuestLimit()
  return (
    <SettingsCard<Outputs['setup']['bookingRules']['get']>
      title="Booking Rules"
      subtitle="What guests can ask for. A request that breaks a rule is refused with the reason. The rules do not apply to you."
      query={api.setup.bookingRules.get.useQuery()}
      error="Failed to load booking rules"
      itemsOf={({ body }) => itemsOf(body, guestLimit)}
      form={props => <BookingRulesForm {...props} />}
    />
  )
}

const itemsOf = (rules: BookingRules, guestLimit: number) => {
  const { arrivalWeekdays, leadDays, maxGuests, stayLength, windowDays } = rules
  return [
    { label: 'Min and max stay', value: stayLength ? 'As in the rates' : 'Any' },
    { label: 'Arrival days', value: arrivalWeekdays ? formatWeekdays(arrivalWeekdays) : 'Any day' },
    { label: 'Notice', value: leadDays === null ? 'None' : plural(leadDays, 'day') },
    { label: 'Ahead', value: windowDays === null ? 'No limit' : `At most ${plural(windowDays, 'day')}` },
    { label: 'Maximum guests', value: maxGuests ?? guestLimit },
  ]
}
