import type { z } from 'zod'
import type { newCredential, usedCredential } from '../../../domain/account-safety-form.ts'
import { safetyMessages } from '../../../domain/account-safety-messages.ts'
import { AppError } from '../../../domain/errors.ts'
import { passkeyHost, readClientData } from '../../../domain/passkey.ts'
import type { Deps } from '../../kernel/deps.ts'

/** Its certificates and codecs take long to load, and most sites have no passkey. */
export const webauthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256. */
export const algorithms = [-8, -7, -257]
export const bytesOf = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'))
export const toBase64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
/** What a passkey knows its person by: an account's id, which says nothing of them. */
export const userHandleOf = (userId: string) => new Uint8Array(Buffer.from(userId))

/** The one refusal of a passkey's answer: why it failed is for nobody to know. */
export const wrongPasskey = () => new AppError('bad_request', safetyMessages.wrongPasskey)

/** The host that passkeys are made and used for. @throws AppError bad_request where browsers have no passkeys */
export function requirePasskeyHost({ config }: Pick<Deps, 'config'>): string {
  const host = passkeyHost(config.origin)
  if (host === undefined) throw new AppError('bad_request', safetyMessages.passkeysUnavailable)
  return host
}

/** The challenge that a browser's answer says it signed; whether it was ever given out is still to be checked. */
function claimedChallenge(clientDataJSON: string): string {
  const clientData = readClientData(clientDataJSON)
  if (!clientData) throw wrongPasskey()
  return clientData.challenge
}

type PasskeyKey = { credentialId: string; publicKey: string }

/**
 * Checks the signature of a passkey's use, its origin, host and user verification: not yet its challenge and counter.
 * @throws AppError bad_request
 */
export async function verifyUse(
  deps: Pick<Deps, 'config'>,
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
    // The counter is judged in the transaction that stores it.
    credential: { id: credentialId, publicKey: bytesOf(publicKey), counter: 0 },
    // Its errors name the challenge and what else was sent: they go into no log.
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw wrongPasskey()
  const { credentialBackedUp: backedUp, newCounter: counter } = authenticationInfo
  return { challenge, counter, backedUp }
}

/**
 * Checks what a browser answers about a new passkey, but not its challenge.
 * @throws AppError bad_request
 */
export async function verifyNew(
  deps: Pick<Deps, 'config'>,
  { id, rawId, type, response }: z.infer<typeof newCredential>,
) {
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

/** None was asked for. One that is sent anyway has certificates, and the library asks the servers that they name. */
async function requireNoAttestation(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    if (decodeAttestationObject(bytesOf(attestationObject)).get('fmt') === 'none') return
  } catch {
    // What is no CBOR is no passkey.
  }
  throw wrongPasskey()
}
