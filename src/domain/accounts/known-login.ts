import { dayMs } from '../common/durations.ts'
/** How long a browser and network count as known. */
export const knownLoginMs = 90 * dayMs
/**
 * Daily limit of mails about logins to one account, so that logins from many networks cannot flood a mailbox. Any of these
 * mails can end all sessions.
 */
export const maxNewLoginMails = 20
/** How long a user can report that a login was not theirs. */
export const disownTtlMs = 7 * dayMs

/** Origin of a login: the browser family and the network (/24, /48). */
export type LoginOrigin = { family: string; network: string }
export type PastLogin = LoginOrigin & { atMs: number }

/**
 * Whether the account was logged in to from this browser and network within the last 90 days (SAFE-22). `past` excludes
 * this login.
 */
export function isKnownLogin(
  past: readonly PastLogin[],
  { family, network }: LoginOrigin,
  nowMs: number,
): boolean {
  return past.some(
    login => login.family === family && login.network === network && login.atMs >= nowMs - knownLoginMs,
  )
}

/**
 * Deduplication key of the mail: one per day, browser and network. `date` is the calendar date in the property's time
 * zone.
 */
export function newLoginMailKey(userId: string, { family, network }: LoginOrigin, date: string): string {
  return `new-login:${userId}:${date}:${network}:${family}`
}
