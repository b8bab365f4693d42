import type { CalendarProvider, FeedMode } from '../../../../domain/calendars/calendar-event.ts'
import type { ExportScope } from '../../../../domain/calendars/calendar-feed.ts'
import { calendarMessages } from '../../../../domain/calendars/calendar-messages.ts'
import { type DateRange, nightsBetween } from '../../../../domain/common/dates.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { combineQueries } from '../../../ui/combine-queries.ts'
import { toast } from '../../../ui/toast.ts'

type Overview = Outputs['calendars']['overview']
export type CalendarFeed = Overview['feeds'][number]
export type CalendarExport = Overview['exports'][number]
export type CalendarConflict = Overview['conflicts'][number]
export type ImportedEvent = Outputs['calendars']['events']['events'][number]
type Reading = Outputs['calendars']['readNow']['result']
/** `more` is the number of events beyond those in the list. */
export type Calendars = Overview & Outputs['calendars']['events']

const refreshMs = 30_000

/** All data of the page, refetched periodically while the page is open. */
export function useCalendars() {
  const overview = api.calendars.overview.useQuery(undefined, { refetchInterval: refreshMs })
  const events = api.calendars.events.useQuery({}, { refetchInterval: refreshMs })
  return combineQueries(overview, events)
}

/** The row of buttons in a list entry. */
export const actionsClass = 'flex flex-wrap items-center gap-1 max-sm:w-full sm:gap-2'

export const providerNames: Record<CalendarProvider, string> = {
  airbnb: 'Airbnb',
  vrbo: 'Vrbo',
  booking: 'Booking.com',
  google: 'Google Calendar',
  other: 'Another calendar',
}
export const modeNames: Record<FeedMode, string> = {
  reservations: 'Bookings',
  all: 'Bookings and blocked nights',
}
export const scopeNames: Record<ExportScope, string> = {
  platform: 'For a platform',
  cleaning: 'For the cleaner',
  owner: 'For yourself, with names',
}
export const namesWarning = 'Anybody who has this address can read your guests’ names.'

export const rangeOf = ({ endDate, startDate }: { startDate: string; endDate: string }): DateRange => ({
  start: startDate,
  end: endDate,
})

/** `Jun 4 – Jun 11, 2027 (7 nights)` */
export const stayText = (stay: DateRange): string =>
  `${formatShortStay(stay)} (${plural(nightsBetween(stay.start, stay.end), 'night')})`

/** Shows the result of reading a calendar, alone or below the title of the change that triggered the reading. */
export function toastReading({ name }: CalendarFeed, result: Reading | null, title?: string): void {
  if (title) toast.success(title, result && result.outcome !== 'failed' ? readingText(result) : undefined)
  if (result?.outcome === 'failed') toast.error(`${name} could not be read`, result.error ?? undefined)
  else if (result && !title) toast.success(calendarMessages.readResult(result), moreOf(result).join(', '))
}

const readingText = (result: Reading) => [calendarMessages.readResult(result), ...moreOf(result)].join(', ')

const moreOf = ({ ended, unreadable }: Reading): string[] => [
  ...(ended > 0 ? [`${ended} ended`] : []),
  ...(unreadable > 0 ? [`${plural(unreadable, 'event')} could not be read`] : []),
]

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
