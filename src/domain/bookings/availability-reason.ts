export const maxReasonLength = 200

const offeredReasons = { available: 'Available', unavailable: 'Unavailable' } as const

/** Whether a reason was typed, so that visitors would read somebody's own words (FIX-32). */
export const isTypedReason = (reason: string): boolean =>
  reason !== '' && !Object.values<string>(offeredReasons).includes(reason)

/** The given reason, or a default text for the state. */
export function reasonOrDefault({ isAvailable, reason }: { isAvailable: boolean; reason: string }): string {
  return reason || (isAvailable ? offeredReasons.available : offeredReasons.unavailable)
}
