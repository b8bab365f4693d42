/** So many people the condo sleeps, applicants included: what an application may name, and what the lease says. */
export const guestLimit = 4

export const guestLimitMessage = `The condo sleeps ${guestLimit} people, applicants included`
