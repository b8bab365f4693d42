// Plain numbers, which the bundler puts in place.
export const minuteMs = 60_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
/** In days: how far ahead a payment is asked for and listed, also what is owed without a plan. */
export const dueDaysAhead = 30
