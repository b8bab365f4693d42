export const maxReasonLength = 200
/** The given reason, or a default text for the state. */
export function reasonOrDefault({ isAvailable, reason }: { isAvailable: boolean; reason: string }): string {
  return reason || (isAvailable ? 'Available' : 'Unavailable')
}
