import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { SignedIn } from '../domain/accounts/access.ts'
import { type TestApp, visitor } from './test-app.ts'

/** EdDSA, ES256 and RS256. */
export type Algorithm = -8 | -7 | -257
type Options = Record<string, unknown>
/** Overrides for what an honest browser and device would send. */
export type ResponseOverrides = Partial<{
  algorithm: Algorithm | -37
  /** A valid self-attestation. */
  attestation: 'packed'
  challenge: string
  counter: number
  credentialId: Buffer
  crossOrigin: boolean
  flags: number
  origin: string
  rpId: string
  signature: Buffer
  type: string
  userHandle: string | null
}>

const flags = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const
export const verifiedFlags = flags.present | flags.verified
export const presentFlags = flags.present
export const backedUpFlags = verifiedFlags | flags.backupEligible | flags.backedUp

/** A browser and a device with one passkey. Signs as real ones do, and forges the fields that a test overrides. */
export function createAuthenticator({ algorithm = -7 as Algorithm, origin = 'http://localhost:3000' } = {}) {
  const { privateKey, publicKey } = keyPair(algorithm)
  const credentialId = hash(publicKey.export({ format: 'der', type: 'spki' }))
  let counter = 0
  let userHandle: string | null = null

  const clientData = (type: string, options: Options, overrides: ResponseOverrides) =>
    Buffer.from(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? options.challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: overrides.crossOrigin ?? false,
      }),
    )
  const authenticatorData = (rpId: string, overrides: ResponseOverrides, extra = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(overrides.counter ?? counter)
    const flagsByte = (overrides.flags ?? verifiedFlags) | (extra.length > 0 ? flags.attested : 0)
    return Buffer.concat([hash(overrides.rpId ?? rpId), Buffer.from([flagsByte]), count, extra])
  }

  const signed = (data: Buffer, client: Buffer) =>
    sign(algorithm === -8 ? null : 'sha256', Buffer.concat([data, hash(client)]), privateKey)

  return {
    id: credentialId.toString('base64url'),
    /** Starts the signature counter, as some devices do. */
    countFrom: (count: number) => {
      counter = count
    },
    /** What `navigator.credentials.create` returns. */
    register: (options: Options, overrides: ResponseOverrides = {}) => {
      const { rp, user } = options as { rp: { id: string }; user: { id: string } }
      userHandle = user.id
      const id = overrides.credentialId ?? credentialId
      const attested = Buffer.concat([
        Buffer.alloc(16),
        Buffer.from([id.length >> 8, id.length & 255]),
        id,
        isoCBOR.encode(coseKey(publicKey, overrides.algorithm ?? algorithm)),
      ])
      const client = clientData('webauthn.create', options, overrides)
      const authData = authenticatorData(rp.id, overrides, attested)
      const attStmt = new Map<string, unknown>(
        overrides.attestation && [
          ['alg', algorithm],
          ['sig', new Uint8Array(signed(authData, client))],
        ],
      )
      const attestation = new Map<string, unknown>([
        ['fmt', overrides.attestation ?? 'none'],
        ['attStmt', attStmt],
        ['authData', new Uint8Array(authData)],
      ])
      return {
        ...named(credentialId),
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: encoded(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      }
    },
    /** What `navigator.credentials.get` returns. */
    authenticate: (options: Options, overrides: ResponseOverrides = {}) => {
      if (counter > 0 && overrides.counter === undefined) counter++
      const data = authenticatorData(String(options.rpId), overrides)
      const client = clientData('webauthn.get', options, overrides)
      return {
        ...named(credentialId),
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: (overrides.signature ?? signed(data, client)).toString('base64url'),
          userHandle: overrides.userHandle === undefined ? userHandle : overrides.userHandle,
        },
      }
    },
  }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

/** Adds a device's passkey to an account, as its user would. */
export async function addPasskey(
  app: TestApp,
  actor: SignedIn,
  device: Authenticator,
  { name = 'Laptop', ...overrides }: ResponseOverrides & { name?: string } = {},
) {
  const { options } = await app.as(actor).factors.passkeyOptions()
  return app.as(actor).factors.addPasskey({ name, credential: device.register(options, overrides) })
}

/** The device's response to fresh passkey login options. */
export async function passkeyResponse(
  app: TestApp,
  device: Authenticator,
  overrides: ResponseOverrides = {},
) {
  const { options } = await app.as(visitor).factors.passkeyLoginOptions()
  return device.authenticate(options, overrides)
}

const encoded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const hash = (content: string | Buffer) => createHash('sha256').update(content).digest()
const named = (id: Buffer) => {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key' as const }
}

function keyPair(algorithm: Algorithm) {
  if (algorithm === -8) return generateKeyPairSync('ed25519')
  if (algorithm === -257) return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** A public key in COSE format (RFC 9053). */
function coseKey(key: KeyObject, algorithm: number): Map<number, number | Uint8Array> {
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const head: [number, number][] = [
    [1, kty === 'RSA' ? 3 : kty === 'EC' ? 2 : 1],
    [3, algorithm],
  ]
  if (kty === 'RSA') return new Map<number, number | Uint8Array>([...head, [-1, bytes(n)], [-2, bytes(e)]])
  const curve: [number, number] = [-1, kty === 'EC' ? 1 : 6]
  const point: [number, Uint8Array][] = [
    [-2, bytes(x)],
    ...(kty === 'EC' ? [[-3, bytes(y)] as [number, Uint8Array]] : []),
  ]
  return new Map<number, number | Uint8Array>([...head, curve, ...point])
}
