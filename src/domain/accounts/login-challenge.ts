import { clockToleranceMs } from '../common/dates.ts'
import { hourMs } from '../common/durations.ts'

export const challengeTtlMs = 5 * 60_000
/** A mailed code; the mail may take a while. */
export const mailboxCodeTtlMs = 15 * 60_000
/** Codes that an account can be mailed in 24 hours. */
export const maxMailboxCodes = 5
export const maxChallengeTries = 5

/** A login with a correct password. Its token is valid only for the second step (SAFE-06). */
export type LoginChallenge = { expiresAt: string; tries: number; usedAt: string | null }

/** A new challenge; `at` is a UTC ISO timestamp. */
export function newChallenge(at: string, ttlMs = challengeTtlMs): LoginChallenge {
  return { expiresAt: new Date(Date.parse(at) + ttlMs).toISOString(), tries: 0, usedAt: null }
}

/** A challenge that ends later than the longest lifetime was made while the clock was ahead. */
export function isChallengeOpen({ expiresAt, tries, usedAt }: LoginChallenge, at: string): boolean {
  const isCurrent =
    at < expiresAt && Date.parse(expiresAt) <= Date.parse(at) + mailboxCodeTtlMs + clockToleranceMs
  return usedAt === null && tries < maxChallengeTries && isCurrent
}

/**
 * One try at a challenge; returns the updated challenge. Store it in the transaction that checks the code, so that
 * concurrent tries are all counted, and throw a rejection after the commit, or the count would be rolled back.
 */
export function tryChallenge(
  challenge: LoginChallenge,
  { at, isRight }: { at: string; isRight: boolean },
): { outcome: 'passed' | 'wrong' | 'over'; challenge: LoginChallenge } {
  if (!isChallengeOpen(challenge, at)) return { outcome: 'over', challenge }
  const tries = challenge.tries + 1
  if (!isRight) return { outcome: 'wrong', challenge: { ...challenge, tries } }
  return { outcome: 'passed', challenge: { ...challenge, tries, usedAt: at } }
}

/** Wrong codes in an hour, over all networks. */
export const maxWrongCodes = 20
/** Wrong codes in a day from a network with a recent success, which other networks do not affect. */
export const maxWrongCodesOfKnown = 100

/** Wrong codes allowed in 30 days, counted from the last new password. With more, somebody who stole the password could guess a code within a year. */
export const maxWrongCodesOfMonth = 200
export const wrongCodesCountMs = 30 * 24 * hourMs
/** The number of wrong codes in a day at which the account gets a mail. Each came after the right password. */
export const wrongCodesTold = 5

/** A wrong second step of an account; `network` is from `rateLimitKey`. */
export type WrongCode = { at: string; network: string }

/**
 * Seconds until another code may be tried for an account, 0 for immediately (SAFE-07). Wrong codes lock the second step
 * for networks without a recent success; a network with one has a separate limit, so that guessing is bounded there
 * too. `wrong` contains those of the last 30 days, in any order. A new password ends the longer wait.
 */
export function secondStepWaitSeconds(
  wrong: readonly WrongCode[],
  {
    at,
    isKnownNetwork,
    network,
    passwordAt = '',
  }: { at: string; network: string; isKnownNetwork: boolean; passwordAt?: string },
): number {
  const monthWait = (codes: readonly WrongCode[]) => {
    const since = codes.filter(code => code.at > passwordAt)
    return waitSeconds(since, at, { max: maxWrongCodesOfMonth, withinMs: wrongCodesCountMs })
  }
  if (isKnownNetwork) {
    const own = wrong.filter(code => code.network === network)
    const ofDay = waitSeconds(own, at, { max: maxWrongCodesOfKnown, withinMs: 24 * hourMs })
    if (ofDay === 0 && monthWait(own) === 0) return 0
  }
  return Math.max(waitSeconds(wrong, at, { max: maxWrongCodes, withinMs: hourMs }), monthWait(wrong))
}

function waitSeconds(
  wrong: readonly WrongCode[],
  at: string,
  { max, withinMs }: { max: number; withinMs: number },
): number {
  const now = Date.parse(at)
  const newestFirst = wrong
    .map(code => Date.parse(code.at))
    // A code stored while the clock was ahead would lock the step until that time.
    .filter(moment => moment <= now)
    .toSorted((one, other) => other - one)
  const decisive = newestFirst[max - 1]
  if (decisive === undefined) return 0
  return Math.max(0, Math.ceil((decisive + withinMs - now) / 1000))
}
