import { and, eq, gt } from 'drizzle-orm'
import type { z } from 'zod'
import type { Tx } from '../../../../db/open.ts'
import { events, loginChallenges } from '../../../../db/schema.ts'
import type { Actor } from '../../../domain/accounts/access.ts'
import type { UserView } from '../../../domain/accounts/account.ts'
import type { challengeForm, challengeResponse } from '../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers, safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { afterPassword, hasSecondFactor } from '../../../domain/accounts/factor.ts'
import {
  isChallengeOpen,
  secondStepWaitSeconds,
  tryChallenge,
  type WrongCode,
  wrongCodesCountMs,
  wrongCodesTold,
} from '../../../domain/accounts/login-challenge.ts'
import type { SessionOrigin } from '../../../domain/accounts/step-up.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { rateLimitKey } from '../../lib/network.ts'
import { isKnownNetwork } from '../sessions/login-throttle.ts'
import { beginSession } from '../sessions/sessions.ts'
import { findUser, toUserView, type UserRow } from '../sessions/users.ts'
import { findChallenge, openChallenge } from './challenges.ts'
import { consumeRecoveryCode, consumeTotpCode } from './consume-code.ts'
import { factorStatusOf } from './factor-status.ts'
import { mailWrongCodes } from './notifications.ts'

export type SignedInResponse = { token: string; user: UserView }
export type ChallengeResponse = z.infer<typeof challengeResponse>
type ChallengeInput = z.output<typeof challengeForm>

/** The response to a right password, in the login's transaction: a session, or a second step's challenge (SAFE-06). */
export function completePasswordStep(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  user: UserRow,
  origin: SessionOrigin,
): SignedInResponse | ChallengeResponse {
  const next = afterPassword(factorStatusOf(deps, tx, user.id))
  if (next.session) return { token: beginSession(deps, tx, actor, user, origin), user: toUserView(user) }
  return { challenge: openChallenge(tx, nowIso(deps), user.id), methods: next.methods }
}

/**
 * The second step of a login: marks the code as used and starts the session in one transaction.
 * @throws AppError bad_request for a wrong code; unauthorized when the challenge is over; too_many after too many wrong
 * codes for the account
 */
export async function completeSecondStep(
  deps: Deps,
  actor: Actor,
  input: ChallengeInput,
): Promise<SignedInResponse> {
  const answer = await deps.write(tx => tryCode(deps, tx, actor, input))
  // Throwing inside the transaction would roll back the counted attempt.
  if (answer instanceof AppError) throw answer
  return answer
}

function tryCode(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  { challenge: token, code, recoveryCode }: ChallengeInput,
): SignedInResponse | AppError {
  const at = nowIso(deps)
  const row = findChallenge(tx, token)
  const user = row?.userId == null ? undefined : findUser(tx, row.userId)
  if (!row || !user || !isChallengeOpen(row, at) || !hasSecondFactor(factorStatusOf(deps, tx, user.id)))
    throw new AppError('unauthorized', safetyMessages.loginAgain)
  const wrong = wrongCodesOf(deps, tx, user.id)
  const passwordAt = wrong.length > 0 ? newPasswordAt(deps, tx, user.id) : ''
  const network = rateLimitKey(actor.requestOrigin.address)
  const isKnown = wrong.length > 0 && isKnownNetwork(deps, user.id, network)
  const retryAfterSeconds = secondStepWaitSeconds(wrong, { at, network, isKnownNetwork: isKnown, passwordAt })
  if (retryAfterSeconds > 0) {
    const { newPasswordFirst, tooManyCodes } = safetyAnswers
    const message = retryAfterSeconds * 1000 > dayMs ? newPasswordFirst : tooManyCodes
    throw new AppError('too_many', message, { retryAfterSeconds })
  }

  const isRight =
    code === undefined
      ? consumeRecoveryCode(deps, tx, actor, user, recoveryCode ?? '')
      : consumeTotpCode(deps, tx, user.id, code)
  const { challenge, outcome } = tryChallenge(row, { at, isRight })
  const { tries, usedAt } = challenge
  tx.update(loginChallenges).set({ tries, usedAt }).where(eq(loginChallenges.id, row.id)).run()
  if (outcome === 'passed')
    return { token: beginSession(deps, tx, actor, user, 'factor'), user: toUserView(user) }
  const method = code === undefined ? 'recovery' : 'totp'
  recordEvent(tx, at, actor, 'account.second_step_failed', user.id, { method })
  const dayAgo = new Date(Date.parse(at) - dayMs).toISOString()
  const today = wrong.filter(code => code.at > dayAgo && code.at > passwordAt).length + 1
  if (today === wrongCodesTold) mailWrongCodes(tx, at, actor, user)
  return wrongCode(method)
}

/** The field error for a wrong code. */
export const wrongCode = (method: 'totp' | 'recovery'): AppError =>
  method === 'totp'
    ? fieldError('code', safetyAnswers.wrongCode)
    : fieldError('recoveryCode', safetyAnswers.wrongRecoveryCode)

/** The wrong codes of an account in the last 30 days, by the audit log. */
function wrongCodesOf(deps: Deps, tx: Tx, userId: string): WrongCode[] {
  return eventsOf(deps, tx, userId, 'account.second_step_failed').map(({ address, at }) => ({
    at,
    network: rateLimitKey(address ?? ''),
  }))
}

/** When the account last got a new password; '' if it was not in the last 30 days. */
const newPasswordAt = (deps: Deps, tx: Tx, userId: string): string =>
  eventsOf(deps, tx, userId, 'account.password_changed').at(-1)?.at ?? ''

function eventsOf({ clock }: Deps, tx: Tx, userId: string, kind: string) {
  const since = new Date(clock.now().getTime() - wrongCodesCountMs).toISOString()
  return tx
    .select({ at: events.at, address: events.address })
    .from(events)
    .where(and(eq(events.subjectId, userId), eq(events.kind, kind), gt(events.at, since)))
    .orderBy(events.id)
    .all()
}
