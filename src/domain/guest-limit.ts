import { plural } from './plural.ts'

/** How many people the condo sleeps, applicants included. */
export const guestLimit = 4

/** The error when more people would stay than the owner allows. */
export const maxGuestsMessage = (maxGuests: number) => `At most ${plural(maxGuests, 'guest')} can stay.`

export const guestLimitMessage = `The condo sleeps ${guestLimit} people, applicants included`
