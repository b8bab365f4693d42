const minuteMs = 60_000
export const maxRetryDelayMs = 60 * minuteMs
const firstDelayMs = minuteMs / 2
/** Counts attempts, not days: without SMTP_URL nothing is attempted, but a mail server outage uses up attempts. */
const maxAttempts = 78

/**
 * The wait after the n-th failed attempt, in ms: 30 s, doubling up to an hour; undefined after the last attempt, about
 * three days in.
 */
export function retryDelayMs(attempts: number): number | undefined {
  return attempts >= maxAttempts ? undefined : Math.min(maxRetryDelayMs, firstDelayMs * 2 ** (attempts - 1))
}
