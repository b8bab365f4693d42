import type { api, Inputs } from '../../api/api.ts'

type Options = Record<string, unknown>

/** Whether this browser can create and use passkeys with the JSON format that the server uses. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential
}

/** Creates a passkey on the device or security key that the person chooses. Rejects if they cancel. */
export async function createPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return toJson(await navigator.credentials.create({ publicKey }))
}

/** Prompts for a passkey and returns its assertion. Rejects if the person cancels. */
async function getPasskey(options: Options) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return toJson(await navigator.credentials.get({ publicKey }))
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey')
  return credential.toJSON()
}

export type UsedPasskey = Inputs['factors']['passkeyLogin']['credential']

/** Prompts for a passkey, at login and for a step-up; undefined if the person cancels. */
export async function requestPasskey({
  client,
}: Pick<ReturnType<typeof api.useUtils>, 'client'>): Promise<UsedPasskey | undefined> {
  const { options } = await client.factors.passkeyLoginOptions.mutate()
  try {
    return (await getPasskey(options)) as UsedPasskey
  } catch {
    return undefined
  }
}

export const passkeyNotUsed = 'No passkey was used. Please try again.'
