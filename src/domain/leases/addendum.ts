/** How an addendum ended unsigned. */
export const addendumEnds = ['declined', 'withdrawn', 'expired'] as const
export type AddendumEnd = (typeof addendumEnds)[number]

/** The terms that an addendum changes. Cents per month, or for the stay (see `isRentForStay`). */
export type AddendumTerms = { startDate: string; endDate: string; rentCents: number; depositCents: number }
