import { plural } from './plural.ts'

/** How many people the condo sleeps, applicants included. */
export const guestLimit = 4

/** The refusal where the owner lets fewer people stay than the condo sleeps. */
export const maxGuestsMessage = (maxGuests: number) => `At most ${plural(maxGuests, 'guest')} can stay.`

export const guestLimitMessage = `The condo sleeps ${guestLimit} people, applicants included`
