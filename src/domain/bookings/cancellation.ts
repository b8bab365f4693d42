/** `requested` waits for the owner; `cancelled` ends with `reinstated`. */
export const cancellationStates = ['requested', 'taken_back', 'declined', 'cancelled', 'reinstated'] as const
export type CancellationState = (typeof cancellationStates)[number]

/** Who cancels. */
export const cancellationSides = ['tenant', 'owner'] as const
export type CancellationSide = (typeof cancellationSides)[number]

/** A tenant who cancels at least `daysBefore` days before arrival gets `refundPercent` of the rent and fees back. */
export type CancellationTier = { daysBefore: number; refundPercent: number }
