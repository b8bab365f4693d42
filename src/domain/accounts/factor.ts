import { clockToleranceMs } from '../common/dates.ts'

export const factorKinds = ['totp', 'passkey'] as const
export type FactorKind = (typeof factorKinds)[number]

/** How long a new secret is shown and can be confirmed. */
export const enrollmentTtlMs = 10 * 60_000
export const maxPasskeys = 10

export type Factor = {
  kind: FactorKind
  /** Null until confirmed with a correct code; the factor does not count before that (SAFE-03). */
  confirmedAt: string | null
  /** False for a secret encrypted with a lost key, and for a passkey of another host of the site. */
  isUsable: boolean
}
/** What protects an account in addition to its password. */
export type FactorStatus = { factors: readonly Factor[]; recoveryCodesLeft: number }

/** Possible second steps of a login. */
export const secondSteps = ['totp', 'passkey', 'recovery'] as const
export type SecondStep = (typeof secondSteps)[number]

/** Whether the account requires more than a password, even if none of its factors is usable at the moment. */
export function hasSecondFactor({ factors }: FactorStatus): boolean {
  return factors.some(({ confirmedAt }) => confirmedAt !== null)
}

/** The second steps that can succeed; none for an account without a factor, or if all factors are lost. */
export function usableSteps(factorStatus: FactorStatus): SecondStep[] {
  if (!hasSecondFactor(factorStatus)) return []
  const has = (kind: FactorKind) =>
    factorStatus.factors.some(
      factor => factor.kind === kind && factor.confirmedAt !== null && factor.isUsable,
    )
  return secondSteps.filter(step => (step === 'recovery' ? factorStatus.recoveryCodesLeft > 0 : has(step)))
}

/** The result of a correct password: a session, or the possible second steps (SAFE-01, SAFE-06). */
export function afterPassword(
  factorStatus: FactorStatus,
): { session: true } | { session: false; methods: SecondStep[] } {
  return hasSecondFactor(factorStatus)
    ? { session: false, methods: usableSteps(factorStatus) }
    : { session: true }
}

/** Recovery codes need a factor: removing the last factor also removes the codes. */
export function keepsRecoveryCodes({ factors }: FactorStatus): boolean {
  return hasSecondFactor({ factors, recoveryCodesLeft: 0 })
}

/** Whether a setup can still be confirmed: not if it began while the clock was ahead. Timestamps are UTC ISO strings. */
export function enrollmentState(
  factor: { createdAt: string; confirmedAt: string | null },
  at: string,
): 'open' | 'expired' | 'confirmed' {
  if (factor.confirmedAt !== null) return 'confirmed'
  const ageMs = Date.parse(at) - Date.parse(factor.createdAt)
  return -clockToleranceMs <= ageMs && ageMs < enrollmentTtlMs ? 'open' : 'expired'
}
