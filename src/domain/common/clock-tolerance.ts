/** How far a stored time may be in the future before the clock counts as wrong. */
export const clockToleranceMs = 60_000
