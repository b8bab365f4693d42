import type { StepUpMethod } from '../common/errors.ts'
import type { Role } from './account-rules.ts'
import { type FactorStatus, hasSecondFactor, usableSteps } from './factor.ts'

/** How long a proof is valid. */
export const stepUpTtlMs = 10 * 60_000
/** The number of wrong proofs that ends the session. */
export const maxWrongStepUps = 5

/** What a session has proven, as UTC ISO timestamps. */
export type SessionProof = {
  /** The last proof with a code, passkey or recovery code. */
  factorAt: string | null
  /** The last proof of any kind. */
  stepUpAt: string | null
}

/** The accepted proofs; the password counts only for an account without a factor (SAFE-16). */
export function stepUpMethods(factorStatus: FactorStatus): StepUpMethod[] {
  return hasSecondFactor(factorStatus) ? usableSteps(factorStatus) : ['password']
}

/**
 * Until when the session counts as proven at a given time, as a UTC ISO timestamp; null if it does not. A password
 * proof from before the account got its first factor does not count, and neither does a proof stored while the clock
 * was ahead.
 */
export function stepUpUntil(
  factorStatus: FactorStatus,
  { factorAt, stepUpAt }: SessionProof,
  at: string,
): string | null {
  const now = Date.parse(at)
  const proofs = hasSecondFactor(factorStatus) ? [factorAt] : [factorAt, stepUpAt]
  const until = proofs
    .flatMap(proof => (proof === null ? [] : [Date.parse(proof)]))
    .filter(moment => moment <= now && now < moment + stepUpTtlMs)
    .map(moment => moment + stepUpTtlMs)
  return until.length === 0 ? null : new Date(Math.max(...until)).toISOString()
}

/** The ways to do a missing step-up (SAFE-17); undefined if it was done within ten minutes. */
export function missingStepUp(
  factorStatus: FactorStatus,
  session: SessionProof,
  at: string,
): StepUpMethod[] | undefined {
  return stepUpUntil(factorStatus, session, at) === null ? stepUpMethods(factorStatus) : undefined
}

/** A session's proofs after a correct proof (SAFE-19); undefined if this method does not count for the account. */
export function withProof(
  factorStatus: FactorStatus,
  session: SessionProof,
  { at, method }: { method: StepUpMethod; at: string },
): SessionProof | undefined {
  if (!stepUpMethods(factorStatus).includes(method)) return undefined
  return { factorAt: method === 'password' ? session.factorAt : at, stepUpAt: at }
}

/** How a session was started; `factor` is a login with a second step, or with only a passkey. */
export type SessionOrigin = 'password' | 'factor' | 'registration' | 'invitation'

/**
 * What a new session has proven. For an administrator without a factor the password of the login counts (SAFE-18); a
 * second step or a passkey counts for everybody.
 */
export function proofOfLogin(origin: SessionOrigin, role: Role, at: string): SessionProof {
  if (origin === 'factor') return { factorAt: at, stepUpAt: at }
  return { factorAt: null, stepUpAt: origin === 'password' && role === 'admin' ? at : null }
}

/** Counts a wrong proof of a session; the fifth ends the session (SAFE-19). A correct proof resets the count. */
export function afterWrongStepUp(tries: number): { tries: number; endsSession: boolean } {
  return { tries: tries + 1, endsSession: tries + 1 >= maxWrongStepUps }
}
