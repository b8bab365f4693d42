import { plural } from './plural.ts'

/** The most people that a property can be said to sleep. */
export const mostGuests = 30

/** The error when more people would stay than the owner allows. */
export const maxGuestsMessage = (maxGuests: number) => `At most ${plural(maxGuests, 'guest')} can stay.`

/** The error when more people would stay than the property sleeps, applicants included. */
export const guestLimitMessage = (guestLimit: number) =>
  `The condo sleeps ${plural(guestLimit, 'person', 'people')}, applicants included`
