/** How many people the condo sleeps, applicants included. */
export const guestLimit = 4

export const guestLimitMessage = `The condo sleeps ${guestLimit} people, applicants included`
