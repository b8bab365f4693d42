import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { LoginValues } from '../../../domain/accounts/account.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { api, type Outputs } from '../../api/api.ts'
import { type FailureTexts, failureText, refusalOr } from '../../api/failures.ts'
import { PasskeyButton } from '../../features/factors/passkey-button.tsx'
import { canUsePasskeys, passkeyNotUsed, requestPasskey } from '../../features/factors/passkeys.ts'
import { type Proof, ProofForm } from '../../features/factors/proof-form.tsx'
import type { ZodForm } from '../../forms/zod-form.ts'
import { isSessionExpired, type NewSession } from '../../session/session.tsx'
import { AccountCard } from './account-card.tsx'

export type LoginChallenge = Exclude<Outputs['accounts']['login'], NewSession>

type FactorLoginProps = {
  texts: FailureTexts
  /** Stores the session; returns an error message if this user may not log in here. */
  onSession: (session: NewSession) => Promise<string | undefined>
  /** Shows an error above the password form; undefined clears the error. */
  onFailure: (message?: string) => void
}
type SecondStepProps = FactorLoginProps & {
  title: string
  challenge: LoginChallenge
  setChallenge: (challenge: undefined) => void
  /** The password form, to return to. */
  form: ZodForm<LoginValues, LoginValues>
}

/** The second step of a login, after the correct password. */
export function SecondStep({ title, challenge, texts, onSession, ...login }: SecondStepProps) {
  const { client } = api.useUtils()

  const back = (message?: string) => {
    flushSync(() => {
      login.setChallenge(undefined)
      login.onFailure(message)
      login.form.reset({ ...login.form.getValues(), password: '' })
    })
    login.form.setFocus('password')
  }
  const sendCode = async (code: Exclude<Proof, { credential: unknown }>) => {
    try {
      return await client.factors.challenge.mutate({ challenge: challenge.challenge, ...code })
    } catch (error) {
      // The challenge has expired or had too many attempts.
      if (!isSessionExpired(error)) throw error
      back(refusalOr(error, safetyMessages.loginAgain))
      return undefined
    }
  }
  const prove = async (proof: Proof) => {
    const session =
      'credential' in proof ? await client.factors.passkeyLogin.mutate(proof) : await sendCode(proof)
    const refusal = session && (await onSession(session))
    if (refusal) back(refusal)
  }
  return (
    <AccountCard title={title} subtitle="Two-step verification">
      <ProofForm
        methods={challenge.methods}
        onProof={prove}
        texts={texts}
        submitLabel="Log in"
        busyLabel="Logging in..."
        cancelLabel="Back to login"
        onCancel={() => back()}
      />
    </AccountCard>
  )
}

type PasskeyLoginProps = FactorLoginProps & { disabled: boolean }

/** Login with a passkey; renders nothing if the browser does not support passkeys. */
export function PasskeyLogin({ disabled, texts, onSession, onFailure }: PasskeyLoginProps) {
  const utils = api.useUtils()
  const [busy, setBusy] = useState(false)
  if (!canUsePasskeys()) return null

  const signIn = async () => {
    const credential = await requestPasskey(utils)
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
      <PasskeyButton
        variant="secondary"
        size="lg"
        busy={busy}
        disabled={disabled}
        onClick={() => void press()}
      >
        Log in with a passkey
      </PasskeyButton>
    </div>
  )
}
