export const maxReasonLength = 200
/** The given reason, else the state in words. */
export function reasonOrDefault({ isAvailable, reason }: { isAvailable: boolean; reason: string }): string {
  return reason || (isAvailable ? 'Available' : 'Unavailable')
}
