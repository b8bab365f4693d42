import type { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import type { SignedIn } from '../../../domain/accounts/access.ts'
import type { stepUpForm } from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { stepUpMethods, stepUpUntil, withProof } from '../../../domain/accounts/step-up.ts'
import type { StepUpMethod } from '../../../domain/common/errors.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { countWrongProof, findProof, storeProof } from '../sessions/session-proof.ts'
import { findUser } from '../sessions/users.ts'
import { consumeRecoveryCode, consumeTotpCode } from './consume-code.ts'
import { factorStatusOf } from './factor-status.ts'
import { type UsedCredential, verifyPasskeyUse } from './passkeys/verify-use.ts'
import { wrongPasskey } from './passkeys/webauthn.ts'
import { wrongCode } from './second-step.ts'

type Proof = {
  method: StepUpMethod
  /** Checks the proof and marks it as used, in the transaction that accepts it. */
  isRight: (tx: Tx) => boolean
  refusal: AppError
}

/**
 * Steps a session up for ten minutes by a proof of the person's identity (SAFE-19).
 * @throws AppError bad_request for a wrong proof; unauthorized with the fifth, which ends the session; too_many
 */
export async function confirmStepUp(
  deps: Deps,
  actor: SignedIn,
  input: z.output<typeof stepUpForm>,
): Promise<{ until: string }> {
  await deps.limits.consume('stepUpByUser', actor.userId)
  const proof = await readProof(deps, actor, input)
  const answer = await deps.write(tx => accept(deps, tx, actor, proof))
  // Not thrown inside the transaction, which would roll the count of attempts back.
  if (answer instanceof AppError) throw answer
  return answer
}

function accept(
  deps: Deps,
  tx: Tx,
  actor: SignedIn,
  { isRight, method, refusal }: Proof,
): { until: string } | AppError {
  const at = nowIso(deps)
  const session = findProof(tx, actor.sessionId)
  if (!session) return sessionEnded()
  const factorStatus = factorStatusOf(deps, tx, actor.userId)
  const after = withProof(factorStatus, session, { method, at })
  if (!after || !isRight(tx)) return rejectProof(tx, at, actor, method) ?? refusal
  storeProof(tx, actor.sessionId ?? '', after)
  recordEvent(tx, at, actor, 'account.step_up', actor.userId, { method })
  return { until: stepUpUntil(factorStatus, after, at) ?? at }
}

/** Counts a wrong proof. Returns an error if it ends the session; else the caller throws its own error. */
export function rejectProof(tx: Tx, at: string, actor: SignedIn, method: StepUpMethod): AppError | undefined {
  recordEvent(tx, at, actor, 'account.step_up_failed', actor.userId, { method })
  if (!countWrongProof(tx, at, actor.sessionId ?? '')) return undefined
  recordEvent(tx, at, actor, 'account.session_ended', actor.userId, { reason: 'wrong proofs' })
  return sessionEnded()
}

const sessionEnded = () => new AppError('unauthorized', safetyAnswers.sessionEnded)

async function readProof(deps: Deps, actor: SignedIn, input: z.output<typeof stepUpForm>): Promise<Proof> {
  const { code, credential, password, recoveryCode } = input
  if (password !== undefined) return readPassword(deps, actor, password)
  if (code !== undefined)
    return {
      method: 'totp',
      isRight: tx => consumeTotpCode(deps, tx, actor.userId, code),
      refusal: wrongCode('totp'),
    }
  if (recoveryCode !== undefined)
    return {
      method: 'recovery',
      isRight: tx => {
        const user = findUser(tx, actor.userId)
        return user !== undefined && consumeRecoveryCode(deps, tx, actor, user, recoveryCode)
      },
      refusal: wrongCode('recovery'),
    }
  return readPasskey(deps, actor, credential)
}

/** A rejected passkey, or one of another account, counts as a wrong proof. */
async function readPasskey(
  deps: Deps,
  actor: SignedIn,
  credential: UsedCredential | undefined,
): Promise<Proof> {
  const method = 'passkey'
  try {
    if (credential === undefined) throw wrongPasskey()
    const acceptIn = await verifyPasskeyUse(deps, actor, credential)
    const isRight = (tx: Tx) => acceptIn(tx)?.userId === actor.userId
    return { method, isRight, refusal: wrongPasskey() }
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request')
      return { method, isRight: () => false, refusal: error }
    throw error
  }
}

/** An account with a second factor cannot step up by password, which would prove too little. */
async function readPassword(deps: Deps, actor: SignedIn, password: string): Promise<Proof> {
  const methods = stepUpMethods(factorStatusOf(deps, deps.db, actor.userId))
  if (!methods.includes('password')) {
    const refusal = new AppError('bad_request', safetyMessages.stepUp, { stepUp: methods })
    return { method: 'password', isRight: () => false, refusal }
  }
  return {
    method: 'password',
    isRight: await checkPassword(deps, actor, password),
    refusal: fieldError('password', safetyAnswers.wrongPassword),
  }
}

/** Verifies the caller's password, and returns a check that it is still the same in a later transaction. */
export async function checkPassword(
  deps: Deps,
  actor: SignedIn,
  password: string,
): Promise<(tx: Tx) => boolean> {
  const user = findUser(deps.db, actor.userId)
  const matches = await deps.passwords.verify(user?.passwordHash, password)
  return tx => matches && findUser(tx, actor.userId)?.passwordHash === user?.passwordHash
}
