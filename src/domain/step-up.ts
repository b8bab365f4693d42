import type { Role } from './account-rules.ts'
import { isProtected, type Protection, type SecondStep, usableSteps } from './factor.ts'

/** How long a proof counts. */
export const stepUpTtlMs = 10 * 60_000
/** Wrong proofs after which the session ends. */
export const maxWrongStepUps = 5

export type StepUpMethod = SecondStep | 'password'
/** What a session has proven, as UTC ISO moments. */
export type SessionProof = {
  /** The last code, passkey or recovery code. */
  factorAt: string | null
  /** The last proof of whatever kind. */
  stepUpAt: string | null
}

/** What would be a proof: the password only for an account without a factor (SAFE-16). */
export function stepUpMethods(protection: Protection): StepUpMethod[] {
  return isProtected(protection) ? usableSteps(protection) : ['password']
}

/**
 * Until when the session counts as proven at a moment, as UTC ISO moments; null where it does not. A password that was
 * proven before the account got its first factor does not count any more, and neither does a proof of a clock that ran
 * ahead.
 */
export function stepUpUntil(
  protection: Protection,
  { factorAt, stepUpAt }: SessionProof,
  at: string,
): string | null {
  const now = Date.parse(at)
  const proofs = isProtected(protection) ? [factorAt] : [factorAt, stepUpAt]
  const until = proofs
    .flatMap(proof => (proof === null ? [] : [Date.parse(proof)]))
    .filter(moment => moment <= now && now < moment + stepUpTtlMs)
    .map(moment => moment + stepUpTtlMs)
  return until.length === 0 ? null : new Date(Math.max(...until)).toISOString()
}

/** The ways to prove who it is, where that is missing (SAFE-17); undefined where it was done within ten minutes. */
export function missingStepUp(
  protection: Protection,
  session: SessionProof,
  at: string,
): StepUpMethod[] | undefined {
  return stepUpUntil(protection, session, at) === null ? stepUpMethods(protection) : undefined
}

/** A session's proofs after a right one (SAFE-19); undefined where this kind proves nothing for the account. */
export function withProof(
  protection: Protection,
  session: SessionProof,
  { at, method }: { method: StepUpMethod; at: string },
): SessionProof | undefined {
  if (!stepUpMethods(protection).includes(method)) return undefined
  return { factorAt: method === 'password' ? session.factorAt : at, stepUpAt: at }
}

/** How a session came to be; `factor` is a login with a second step, or with a passkey alone. */
export type SessionOrigin = 'password' | 'factor' | 'registration' | 'invitation'

/**
 * What a new session has proven. For an administrator without a factor the password of the login counts (SAFE-18); a
 * second step, or a passkey, counts for everybody.
 */
export function proofOfLogin(origin: SessionOrigin, role: Role, at: string): SessionProof {
  if (origin === 'factor') return { factorAt: at, stepUpAt: at }
  return { factorAt: null, stepUpAt: origin === 'password' && role === 'admin' ? at : null }
}

/** Counts a wrong proof of a session, which ends with the fifth (SAFE-19). A correct one resets the count. */
export function afterWrongStepUp(tries: number): { tries: number; endsSession: boolean } {
  return { tries: tries + 1, endsSession: tries + 1 >= maxWrongStepUps }
}
