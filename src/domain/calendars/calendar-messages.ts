import type { DateRange } from '../common/dates.ts'
import { plural } from '../common/plural.ts'
import { formatStay } from '../common/stay.ts'
import { maxComingEvents, maxEventsPerNight } from './calendar-event.ts'

/** Why a fetch failed; `host` is the host of the feed's address (CAL-14). */
export const readingErrors = {
  local: () => 'This address leads to a private network and is not read.',
  redirects: () => 'This address redirects too often.',
  timeout: (host: string) => `${host} did not answer within 10 seconds.`,
  unreachable: (host: string) => `${host} could not be reached.`,
  certificate: (host: string) => `The certificate of ${host} is not valid.`,
  status: (host: string, status: number) => `${host} answered with ${status}.`,
  noCalendar: () =>
    'This address does not answer with a calendar. Copy its export address, which usually ends in .ics.',
  brokenOff: () => 'This calendar breaks off in the middle.',
  tooLarge: () => 'This calendar is larger than 1 MB.',
  tooManyEvents: () => 'This calendar has more than 5,000 events.',
  tooManyComing: () =>
    `This calendar has more than ${maxComingEvents.toLocaleString('en-US')} events that are not over.`,
  tooManyPerNight: () => `In this calendar, more than ${maxEventsPerNight} events take the same night.`,
  tooFarAhead: () => 'This calendar has an event that begins more than three years ahead.',
  tooSlow: () => 'This calendar could not be read in time.',
} as const

/** Error and success messages of the calendar's procedures; dates are half-open. */
export const calendarMessages = {
  alreadyRead: (feed: string) => `This calendar is already read, as ${feed}.`,
  ownAddress: 'This is a calendar of this site.',
  tooManyFeeds: 'You already import 20 calendars. Please remove one first.',
  tooManyExports: 'You already export 20 calendars. Please remove one first.',
  paused: 'This calendar is paused.',
  keyDamaged: 'A calendar’s address cannot be saved at the moment: the site’s key is damaged.',
  locked: 'Its address cannot be opened with this site’s secret.key. Please enter the address again.',
  notEmpty: 'This calendar is not empty.',
  taken: (feed: string, nights: DateRange[]) =>
    `Taken on ${feed}: ${nightsText(nights)}. Book all the same only if you have cleared it there.`,
  release: (feed: string, nights: DateRange[]) =>
    `Taken on ${feed}: ${nightsText(nights)}. You can free these nights under Other platforms.`,
  notReadNow: (feed: string, error: string) => `${feed} could not be read just now: ${error}`,
  readResult: ({ added, missing, moved }: { added: number; moved: number; missing: number }) =>
    `Read: ${added} new, ${moved} moved, ${missing} missing`,
  removed: (feed: string, freedNights: number) =>
    `${feed} was removed. ${plural(freedNights, 'night')} became free.`,
} as const

/**
 * Whether the owner can override the error with this message. Checks the text, because a row of an import has nothing
 * else.
 */
export function isOverridableError(message: string): boolean {
  return message.startsWith('Taken on ') && message.endsWith('only if you have cleared it there.')
}

/** Notices on the owner's notice board, and the subjects of their mails (CAL-60, CAL-61). */
export const calendarNotices = {
  conflict: (feed: string, other: string) => `Double booking: ${feed} and ${other}`,
  kept: (feed: string, who: string, kind?: string) =>
    `Taken on ${feed}, ${kind === 'promise' ? 'promised to' : 'held for'} ${who}`,
  moreConflicts: (count: number) =>
    `And ${count.toLocaleString('en-US')} more double ${count === 1 ? 'booking' : 'bookings'}`,
  moreEchoes: (feed: string, count: number) =>
    `${feed} still has ${count.toLocaleString('en-US')} more events that this site no longer exports`,
  locked: (feed: string) => `${feed} is not read, because its address cannot be opened`,
  stale: (feed: string) => `${feed} has not been read for 6 hours`,
  failing: (feed: string) => `${feed} has not been read for a day`,
  empty: (feed: string) => `${feed} no longer has any events. Is that right?`,
  echo: (feed: string, nights: DateRange) =>
    `${feed} still has ${nightsText([nights])}, which this site no longer exports. These nights are now blocked.`,
  unreadable: (feed: string, count: number) => `${plural(count, 'event')} of ${feed} could not be read`,
  unread: (name: string) => `Nobody has fetched the calendar ${name} for 2 days`,
} as const

/** At most six ranges of nights, each from arrival to departure. */
export function nightsText(ranges: DateRange[]): string {
  const shown = ranges.slice(0, 6).map(formatStay)
  return shown.join('; ') + (ranges.length > shown.length ? ' and more' : '')
}
