import type { Actor } from '../../../../domain/accounts/access.ts'
import { challengeTtlMs } from '../../../../domain/accounts/login-challenge.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { beginSession } from '../../sessions/sessions.ts'
import { findUser, toUserView } from '../../sessions/users.ts'
import type { SignedInResponse } from '../second-step.ts'
import { openPasskeyChallenge } from './challenges.ts'
import { type UsedCredential, verifyPasskeyUse } from './verify-use.ts'
import { bytesOf, requirePasskeyHost, webauthn, wrongPasskey } from './webauthn.ts'

/**
 * The options that a browser needs to use a passkey, for a login or a step-up. Lists no passkeys: the person chooses
 * one on their device (SAFE-13).
 * @throws AppError bad_request if the site's host does not support passkeys
 */
export async function passkeyLoginOptions(deps: Deps): Promise<Record<string, unknown>> {
  const rpID = requirePasskeyHost(deps)
  const challenge = await deps.write(tx => openPasskeyChallenge(tx, { kind: 'passkey_use' }, nowIso(deps)))
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(challenge),
    timeout: challengeTtlMs,
    userVerification: 'required',
  })
  return { ...options }
}

/**
 * Starts a session by a passkey, which counts as both steps (SAFE-13): neither password nor email is required.
 * @throws AppError unauthorized with the same message for an unknown passkey and an invalid response; bad_request if
 * the site's host does not support passkeys
 */
export async function logInByPasskey(
  deps: Deps,
  actor: Actor,
  credential: UsedCredential,
): Promise<SignedInResponse> {
  requirePasskeyHost(deps)
  try {
    const acceptIn = await verifyPasskeyUse(deps, actor, credential)
    return await deps.write(tx => {
      const passkey = acceptIn(tx)
      const user = passkey && findUser(tx, passkey.userId)
      if (!user) throw wrongPasskey()
      return { token: beginSession(deps, tx, actor, user, 'factor'), user: toUserView(user) }
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request')
      throw new AppError('unauthorized', error.message)
    throw error
  }
}
