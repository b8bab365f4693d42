import type { CalendarProvider } from '../../../../domain/calendars/calendar-event.ts'

/** Where to find a calendar's URL on each platform, and where to paste another calendar's URL. */
export const platformInstructions: Record<CalendarProvider, { find: string; paste: string }> = {
  airbnb: {
    find: 'On Airbnb: Calendar, your listing, Availability, Connect calendars. Copy the Airbnb calendar link.',
    paste: 'Calendar, your listing, Availability, Connect calendars, as the link of the other website',
  },
  vrbo: {
    find: 'On Vrbo: Calendar, Import & export, Export calendar. Copy the link.',
    paste: 'Calendar, Import & export, Import calendar',
  },
  booking: {
    find: 'On Booking.com: Rates & Availability, Sync calendars, Export calendar. Copy the link.',
    paste: 'Rates & Availability, Sync calendars, Import calendar',
  },
  google: {
    find: 'In Google Calendar: Settings of the calendar, Integrate calendar. Copy the secret address in iCal format.',
    paste: 'Other calendars, From URL',
  },
  other: {
    find: 'Look for an export, iCal or ICS address. It usually ends in .ics.',
    paste: 'where it imports or subscribes to a calendar by its address',
  },
}
