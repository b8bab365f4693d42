import type { api, Inputs } from '../../api/api.ts'
import { getPasskey } from './passkeys.ts'

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
