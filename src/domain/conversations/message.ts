import { type ApplicationStatus, isBooked, isEnded } from '../bookings/application-status.ts'
import { addDays, type CalendarDate } from '../common/dates.ts'
import { dayMs } from '../common/durations.ts'

/** Who writes: the tenant, or the administrators, who are one side. */
export const sides = ['tenant', 'owner'] as const
export type Side = (typeof sides)[number]

export const maxMessageLength = 5000
export const maxFiles = 5
/** The server looks at the content. */
export const acceptedFiles = '.pdf,.jpg,.jpeg,.png'
/** Answers by one link of a mail. */
export const maxAnswersByLink = 20
/** A file that went into no message is deleted after this time, and of those of one person all but the newest. */
export const unsentFileMs = dayMs
export const maxUnsentFiles = 10
/** Anybody can apply, so the files of a stay that is not booked must not fill the disk. */
export const maxUnbookedBytes = 100 * 1024 * 1024
/** What all stays that are not booked may store together in seven days. */
export const maxOfAllUnbooked = { bytes: 1024 * 1024 * 1024, files: 1000, ms: 7 * dayMs }

export const messageTexts = {
  empty: 'Please write a message or add a file',
  tooLong: 'Please use at most 5,000 characters',
  ended: 'This conversation is closed.',
} as const

/** Error messages that only the server uses, kept apart so that screens do not load them. */
export const messageRefusals = {
  off: 'Messages are switched off here.',
  wrongFiles: 'Please add these files again',
  fileMissing: 'Please choose a file',
  fileTooLarge: 'Please choose a file of at most 10 MB',
  fileTypeWrong: 'Please choose a JPEG, PNG or PDF file',
  noRoom: 'This conversation has no room for more files until the stay is booked.',
  noRoomForAll: 'Too many files have come this week. Please write without one, or try again in a few days.',
  linkUsedUp: 'Please log in to write more.',
  deadLink: 'This link is no longer valid.',
  newMeanwhile: 'A new message has come meanwhile.',
  notYet: 'Please enter a time that is not in the future',
  onSite: 'You have a new message. Please read it on the site.',
  closed: (ownerEmail: string) => `This conversation is closed. Please write to ${ownerEmail}.`,
} as const

export const threadFilters = ['waiting', 'unread', 'all'] as const
export const threadsPerPage = 50

const daysAfter = { ended: 14, stay: 90 }

/** Whether writing has ended: 14 days after a decline, withdrawal or cancellation, else 90 days after the last day (MSG-17). */
export function isClosed(
  { endDate, status }: { status: ApplicationStatus; endDate: CalendarDate },
  endedOn: CalendarDate,
  today: CalendarDate,
): boolean {
  if (isEnded(status)) return today > addDays(endedOn, daysAfter.ended)
  return isBooked(status) && today > addDays(endDate, daysAfter.stay)
}

/** Text and `https://` links of a message: only these become links (MSG-02). */
export function splitLinks(body: string): { text: string; isLink: boolean }[] {
  return body
    .split(/(https:\/\/[^\s<>"']*[^\s<>"'.,;:!?)])/)
    .map((text, index) => ({ text, isLink: index % 2 === 1 }))
    .filter(({ text }) => text !== '')
}
