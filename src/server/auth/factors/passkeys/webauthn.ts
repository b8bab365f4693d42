import type { z } from 'zod'
import type { newCredential, usedCredential } from '../../../../domain/accounts/account-safety-form.ts'
import { safetyAnswers, safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { passkeyHost, readClientData } from '../../../../domain/accounts/passkey.ts'
import { AppError } from '../../../../domain/common/errors.ts'
import type { Deps } from '../../../kernel/deps.ts'

/** Loaded on demand: the library takes long to load, and most sites have no passkeys. */
export const webauthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256. */
export const algorithms = [-8, -7, -257]
export const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
export const toBase64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
/** The user handle of a passkey: the account's id, which reveals nothing about the person. */
export const userHandleOf = (userId: string) => new Uint8Array(Buffer.from(userId))

/** The only error for a passkey's response, which must not reveal why it failed. */
export const wrongPasskey = () => new AppError('bad_request', safetyMessages.wrongPasskey)

/** The host that passkeys are bound to. @throws AppError bad_request if the site's host does not support passkeys */
export function requirePasskeyHost({ config }: Deps): string {
  const host = passkeyHost(config.origin)
  if (host === undefined) throw new AppError('bad_request', safetyAnswers.passkeysUnavailable)
  return host
}

/** The challenge that a browser claims to have signed. The caller must check that the challenge was issued. */
function claimedChallenge(clientDataJSON: string): string {
  const clientData = readClientData(clientDataJSON)
  if (!clientData) throw wrongPasskey()
  return clientData.challenge
}

type PasskeyKey = { credentialId: string; publicKey: string }

/**
 * Verifies the signature of a passkey's use, its origin, host and user verification, but not its challenge and counter.
 * @throws AppError bad_request
 */
export async function verifyUse(
  deps: Deps,
  { id, rawId, type, response }: z.infer<typeof usedCredential>,
  { credentialId, publicKey }: PasskeyKey,
) {
  const challenge = claimedChallenge(response.clientDataJSON)
  const { verifyAuthenticationResponse } = await webauthn()
  const answer = { ...response, userHandle: response.userHandle ?? undefined }
  const { authenticationInfo, verified } = await verifyAuthenticationResponse({
    response: { id, rawId, type, response: answer, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: deps.config.origin,
    expectedRPID: requirePasskeyHost(deps),
    requireUserVerification: true,
    // The counter is checked in the transaction that stores it.
    credential: { id: credentialId, publicKey: bytesOf(publicKey), counter: 0 },
    // The library's errors contain the challenge and other input, so they must not be logged.
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw wrongPasskey()
  const { credentialBackedUp: backedUp, newCounter: counter } = authenticationInfo
  return { challenge, counter, backedUp }
}

/**
 * Verifies a browser's response for a new passkey, but not its challenge.
 * @throws AppError bad_request
 */
export async function verifyNew(deps: Deps, { id, rawId, type, response }: z.infer<typeof newCredential>) {
  const challenge = claimedChallenge(response.clientDataJSON)
  const { verifyRegistrationResponse } = await webauthn()
  await requireNoAttestation(response.attestationObject)
  const { registrationInfo, verified } = await verifyRegistrationResponse({
    response: { id, rawId, type, response: { ...response, transports: [] }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: deps.config.origin,
    expectedRPID: requirePasskeyHost(deps),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo || registrationInfo.credential.id !== id) throw wrongPasskey()
  const { credential, credentialBackedUp: backedUp } = registrationInfo
  const { counter, publicKey } = credential
  return { challenge, key: { credentialId: id, publicKey: toBase64url(publicKey) }, counter, backedUp }
}

/** No attestation was requested, and the library would send requests to the servers that its certificates name. */
async function requireNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    if (decodeAttestationObject(bytesOf(attestationObject)).get('fmt') === 'none') return
  } catch {
    // Invalid CBOR is rejected below.
  }
  throw wrongPasskey()
}
