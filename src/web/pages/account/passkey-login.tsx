import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { api, type FailureTexts, failureText } from '../../api/api.ts'
import { askPasskey, passkeyNotUsed } from '../../features/factors/ask-passkey.ts'
import { canUsePasskeys } from '../../features/factors/passkeys.ts'
import type { BegunSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'

type PasskeyLoginProps = {
  disabled: boolean
  texts: FailureTexts
  /** Keeps the session; returns a sentence when this person may not sign in here. */
  onSession: (session: BegunSession) => Promise<string | undefined>
  /** Shows a sentence above the form, or none. */
  onFailure: (message?: string) => void
}

/** Signs in without typing; nothing in a browser that has no passkeys. */
export function PasskeyLogin({ disabled, texts, onSession, onFailure }: PasskeyLoginProps) {
  const utils = api.useUtils()
  const [busy, setBusy] = useState(false)
  if (!canUsePasskeys()) return null

  const signIn = async () => {
    const credential = await askPasskey(utils)
    if (!credential) return passkeyNotUsed
    return onSession(await utils.client.factors.passkeyLogin.mutate({ credential }))
  }
  const press = async () => {
    setBusy(true)
    onFailure(undefined)
    onFailure(await signIn().catch(error => failureText(error, texts)))
    setBusy(false)
  }
  return (
    <div className="mt-5 grid gap-5">
      <p className="flex items-center gap-3 text-muted before:grow before:border-t before:border-line after:grow after:border-t after:border-line">
        or
      </p>
      <Button
        variant="secondary"
        size="lg"
        busy={busy}
        busyLabel="Waiting for your passkey..."
        disabled={disabled}
        onClick={() => void press()}
      >
        <KeyRound aria-hidden />
        Sign in with a passkey
      </Button>
    </div>
  )
}
