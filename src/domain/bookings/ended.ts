/** Statuses in which an application is over: nothing is owed for its stay any more. */
export const endedStatuses = ['rejected', 'cancelled'] as const

export function isEnded(status: string): boolean {
  return (endedStatuses as readonly string[]).includes(status)
}

/** Why nothing can be done, such as paying, for an application that is over; undefined for all others. */
export function endedMessage(status: string, what: string): string | undefined {
  if (status === 'rejected') return `This application was declined. ${what}`
  return status === 'cancelled' ? `This stay was cancelled. ${what}` : undefined
}
