export const factorKinds = ['totp', 'passkey'] as const
export type FactorKind = (typeof factorKinds)[number]

/** How long a new secret is shown and may be confirmed. */
export const enrolmentTtlMs = 10 * 60_000
export const maxPasskeys = 10

export type Factor = {
  kind: FactorKind
  /** Null until a right code has come: it does not count before (SAFE-03). */
  confirmedAt: string | null
  /** False for a secret that was sealed with a lost key, and for a passkey of another address of the site. */
  isUsable: boolean
}
/** What protects an account besides its password. */
export type Protection = { factors: readonly Factor[]; recoveryCodesLeft: number }

/** What can be the second step of a login. */
export const secondSteps = ['totp', 'passkey', 'recovery'] as const
export type SecondStep = (typeof secondSteps)[number]

/** Whether the account asks for more than a password: also where none of its factors can be used at the moment. */
export function isProtected({ factors }: Protection): boolean {
  return factors.some(({ confirmedAt }) => confirmedAt !== null)
}

/** What would be right as a second step; none for an account without a factor, and where all of them are lost. */
export function usableSteps(protection: Protection): SecondStep[] {
  if (!isProtected(protection)) return []
  const has = (kind: FactorKind) =>
    protection.factors.some(factor => factor.kind === kind && factor.confirmedAt !== null && factor.isUsable)
  return secondSteps.filter(step => (step === 'recovery' ? protection.recoveryCodesLeft > 0 : has(step)))
}

/** What the answer to a right password is: a session, or the ways to the second step (SAFE-01, SAFE-06). */
export function afterPassword(
  protection: Protection,
): { session: true } | { session: false; methods: SecondStep[] } {
  return isProtected(protection) ? { session: false, methods: usableSteps(protection) } : { session: true }
}

/** Recovery codes are for accounts with a factor: the last one takes them with it. */
export function keepsRecoveryCodes({ factors }: Protection): boolean {
  return isProtected({ factors, recoveryCodesLeft: 0 })
}

/** Whether a setup may still be confirmed. Its moments are UTC ISO texts. */
export function enrolmentState(
  factor: { createdAt: string; confirmedAt: string | null },
  at: string,
): 'open' | 'expired' | 'confirmed' {
  if (factor.confirmedAt !== null) return 'confirmed'
  return Date.parse(at) < Date.parse(factor.createdAt) + enrolmentTtlMs ? 'open' : 'expired'
}
