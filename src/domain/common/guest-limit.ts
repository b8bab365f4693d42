import { plural } from './plural.ts'

/** The highest guest limit that a property can have. */
export const maxGuestLimit = 30

/** The error if more people would stay than the owner's booking rules allow. */
export const maxGuestsMessage = (maxGuests: number) => `At most ${plural(maxGuests, 'guest')} can stay.`

/** The error if more people would stay than the property's guest limit, applicants included. */
export const guestLimitMessage = (guestLimit: number) =>
  `The condo sleeps ${plural(guestLimit, 'person', 'people')}, applicants included`

export const maxTurnoverNights = 7
