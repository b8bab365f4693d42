import type { ArrivalSection } from './arrival.ts'

// What screens without forms need too.

export const stayMessages = {
  notOpen: 'This stay is not open.',
  codeNotSet: 'Your code is being set. It will stand here before you arrive.',
  notForGuest: 'Please ask the person who booked for the code.',
  over: 'This stay is over.',
  notOpenYet: 'Not open yet.',
  reason: 'Please enter a reason of at most 500 characters',
} as const

/** Error messages that only the server uses, kept apart so that screens do not load them. */
export const stayRefusals = {
  off: 'Arrival information is switched off here.',
  unreadable: (ownerEmail: string) =>
    `This code cannot be read at the moment. Please write to ${ownerEmail}.`,
  invalidLink: 'This link is no longer valid.',
  onlyBooked: 'Only a booked stay can be opened.',
  stale: 'This part was changed by somebody else meanwhile.',
  contains: (what: string) => `This contains ${what}. Guests see it on their stay page.`,
  standsIn: (what: 'code' | 'password', place: string) =>
    `This ${what} stands in “${place}”. Take it out there, or choose another.`,
} as const

export const arrivalLabels: Record<ArrivalSection, string> = {
  welcome: 'Welcome',
  directions: 'Getting here',
  entry: 'Getting in',
  wifi: 'Wi-Fi',
  parking: 'Parking',
  manual: 'House manual',
  checkout: 'Before you leave',
  contacts: 'Contacts',
}

/** `16:00` as `4:00 PM`. */
export function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`
}
