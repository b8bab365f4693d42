const minuteMs = 60_000
const hourMs = 60 * minuteMs
const firstDelayMs = minuteMs / 2
/** Tries are counted, not days: nothing is tried while SMTP_URL is not set, but an outage of the server uses tries up. */
const maxAttempts = 78

/**
 * How long a mail waits after its n-th failed try, in ms: 30 s, doubling up to an hour; undefined when that was
 * the last, after about three days.
 */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts >= maxAttempts ? undefined : Math.min(hourMs, firstDelayMs * 2 ** (attempts - 1))
}
