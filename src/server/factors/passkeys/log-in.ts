import type { Actor } from '../../../domain/access.ts'
import { AppError } from '../../../domain/errors.ts'
import { challengeTtlMs } from '../../../domain/login-challenge.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { beginSession } from '../../sessions/sessions.ts'
import { findUser, toUserView } from '../../sessions/users.ts'
import type { SignedInAnswer } from '../second-step.ts'
import { openPasskeyChallenge } from './challenges.ts'
import { type UsedCredential, verifyPasskeyUse } from './verify-use.ts'
import { bytesOf, requirePasskeyHost, webauthn, wrongPasskey } from './webauthn.ts'

/**
 * What a browser needs to use a passkey, for a login or a step-up. It names nobody's passkeys: the person chooses one on
 * their device (SAFE-13).
 * @throws AppError bad_request where browsers have no passkeys
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
 * Begins a session by a passkey, which counts as both steps (SAFE-13): neither a password nor an e-mail is asked for.
 * @throws AppError unauthorized with one sentence, whether the passkey is unknown or its answer wrong; bad_request where
 * browsers have no passkeys
 */
export async function logInByPasskey(
  deps: Deps,
  actor: Actor,
  credential: UsedCredential,
): Promise<SignedInAnswer> {
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
