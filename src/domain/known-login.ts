const dayMs = 24 * 60 * 60_000
/** How long a browser in a network counts as known. */
export const knownLoginMs = 90 * dayMs
/** Mails of a day about logins of one account: whoever names ever new programs floods no mailbox. Each can end them all. */
export const maxNewLoginMails = 20
/** How long somebody has to say that a login was not theirs. */
export const disownTtlMs = 7 * dayMs

/** Where a login came from: the family of the browser, and the network (/24, /48). */
export type LoginPlace = { family: string; network: string }
export type PastLogin = LoginPlace & { atMs: number }

/**
 * Whether the account was logged in from this browser in this network within the last 90 days (SAFE-22). What was
 * before `disownedAtMs`, when the person said that a login was not theirs, proves nothing. `past` is without this login.
 */
export function isKnownLogin(
  past: readonly PastLogin[],
  { family, network }: LoginPlace,
  { disownedAtMs, nowMs }: { nowMs: number; disownedAtMs: number | null },
): boolean {
  return past.some(
    login =>
      login.family === family &&
      login.network === network &&
      login.atMs >= nowMs - knownLoginMs &&
      login.atMs > (disownedAtMs ?? 0),
  )
}

/** The mail's key: one a day and pair. `date` is the calendar date in the property's zone. */
export function newLoginMailKey(userId: string, { family, network }: LoginPlace, date: string): string {
  return `new-login:${userId}:${date}:${network}:${family}`
}
