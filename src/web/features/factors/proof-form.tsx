import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { proofForms } from '../../../domain/accounts/account-safety-form.ts'
import type { StepUpMethod } from '../../../domain/common/errors.ts'
import { api } from '../../api/api.ts'
import { type FailureTexts, failureText } from '../../api/failures.ts'
import { watchInteraction } from '../../forms/interaction-watch.ts'
import { useFormSubmit } from '../../forms/use-submit.ts'
import { fieldPropsOf, useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { canUsePasskeys, passkeyNotUsed, requestPasskey, type UsedPasskey } from './passkeys.ts'

/** A proof of identity. */
export type Proof =
  | { code: string }
  | { recoveryCode: string }
  | { password: string }
  | { credential: UsedPasskey }
type TypedMethod = Exclude<StepUpMethod, 'passkey'>

type ProofFormProps = {
  /** The methods that the server accepts; the first one is offered first. */
  methods: readonly StepUpMethod[]
  /** Sends a proof. If it rejects, the error is shown above the field, which keeps its text. */
  onProof: (proof: Proof) => Promise<unknown>
  texts: FailureTexts
  submitLabel: string
  busyLabel: string
  cancelLabel: string
  onCancel: () => void
}

/**
 * Asks for one proof: a code, a recovery code, a passkey or the password. Buttons below switch to the other methods.
 */
export function ProofForm({ methods, onProof, texts, cancelLabel, onCancel, ...submit }: ProofFormProps) {
  const possible = methods.filter(method => method !== 'passkey' || canUsePasskeys())
  const [chosen, setChosen] = useState(possible[0])
  const { prove, provePasskey, busyWith, error, setError } = useProving(onProof, texts)
  const choose = (method: TypedMethod) => {
    setError(undefined)
    setChosen(method)
  }

  const isBusy = busyWith !== undefined
  const others = possible.filter(method => method !== chosen)
  return (
    <div className="grid gap-3">
      <FormError>{error}</FormError>
      {chosen === undefined && <NothingPossible hasPasskey={methods.includes('passkey')} />}
      {chosen === 'passkey' && (
        <PasskeyButton isFirst size="lg" busy={isBusy} onClick={provePasskey}>
          Use a passkey
        </PasskeyButton>
      )}
      {chosen !== undefined && chosen !== 'passkey' && (
        <TypedProof
          key={chosen}
          method={chosen}
          {...submit}
          busy={busyWith === chosen}
          disabled={isBusy}
          onProof={proof => prove(chosen, async () => proof)}
        />
      )}
      {others.includes('passkey') && (
        <PasskeyButton
          variant="secondary"
          busy={busyWith === 'passkey'}
          disabled={isBusy}
          onClick={provePasskey}
        >
          Use a passkey
        </PasskeyButton>
      )}
      {others.map(
        method =>
          method !== 'passkey' && (
            <Button key={method} variant="ghost" disabled={isBusy} onClick={() => choose(method)}>
              {typed[method].chooseLabel}
            </Button>
          ),
      )}
      <Button variant="ghost" disabled={isBusy} onClick={onCancel}>
        {cancelLabel}
      </Button>
    </div>
  )
}

/** Sends one proof at a time. The error is that of the last attempt. */
function useProving(onProof: ProofFormProps['onProof'], texts: FailureTexts) {
  const utils = api.useUtils()
  const [error, setError] = useState<string>()
  const [busyWith, setBusyWith] = useState<StepUpMethod>()

  const prove = async (method: StepUpMethod, make: () => Promise<Proof | undefined>) => {
    setError(undefined)
    setBusyWith(method)
    try {
      const proof = await make()
      if (proof) await onProof(proof)
      else setError(passkeyNotUsed)
    } catch (failure) {
      setError(failureText(failure, texts))
    }
    setBusyWith(undefined)
  }
  const provePasskey = () =>
    void prove('passkey', async () => {
      const credential = await requestPasskey(utils)
      return credential && { credential }
    })
  return { prove, provePasskey, busyWith, error, setError }
}

type TypedProofProps = {
  method: TypedMethod
  submitLabel: string
  busyLabel: string
  busy: boolean
  disabled: boolean
  onProof: (proof: Proof) => Promise<void>
}

/**
 * The field for a typed proof. It gets the focus when it appears, and again after a refusal, with its text selected.
 */
function TypedProof({ method, submitLabel, busyLabel, busy, disabled, onProof }: TypedProofProps) {
  const { schema, toProof, isPassword, input } = typed[method]
  const form = useZodForm(schema, { text: '' })
  const { setFocus } = form
  useEffect(() => setFocus('text', { shouldSelect: true }), [setFocus])

  const { submit } = useFormSubmit(
    form,
    async ({ text }) => {
      const watch = watchInteraction()
      await onProof(toProof(text))
      watch.stop()
      if (!watch.hasInteracted()) setFocus('text', { shouldSelect: true })
    },
    () => undefined,
  )
  const Field = isPassword ? PasswordField : TextField
  return (
    <form noValidate onSubmit={submit} className="grid gap-5">
      <Field
        required
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        {...input}
        {...fieldPropsOf(form)('text')}
      />
      <Button type="submit" size="lg" busy={busy} busyLabel={busyLabel} disabled={disabled}>
        {submitLabel}
      </Button>
    </form>
  )
}

type Typed = {
  schema: z.ZodType<{ text: string }, { text: string }>
  toProof: (text: string) => Proof
  isPassword?: boolean
  /** The label of the button that switches to this method. */
  chooseLabel: string
  input: Parameters<typeof TextField>[0]
}

const typed: Record<TypedMethod, Typed> = {
  totp: {
    schema: proofForms.totp,
    toProof: code => ({ code }),
    chooseLabel: 'Use your authenticator app',
    input: {
      label: 'Enter the code from your authenticator app',
      inputMode: 'numeric',
      autoComplete: 'one-time-code',
    },
  },
  recovery: {
    schema: proofForms.recovery,
    toProof: recoveryCode => ({ recoveryCode }),
    chooseLabel: 'Use a recovery code',
    input: {
      label: 'Enter a recovery code',
      autoComplete: 'off',
      hint: 'One of the codes you saved when you turned on two-step verification. Each works once. Lost them too? Ask the owner of the site.',
    },
  },
  password: {
    schema: proofForms.password,
    toProof: password => ({ password }),
    isPassword: true,
    chooseLabel: 'Use your password',
    input: { label: 'Password', autoComplete: 'current-password' },
  },
}

function NothingPossible({ hasPasskey }: { hasPasskey: boolean }) {
  if (hasPasskey)
    return <p role="alert">This browser cannot use your passkey. Please use the device you created it on.</p>
  return (
    <p role="alert">
      Your second step is not available right now. Ask the owner of the site to turn it off, with the command{' '}
      <code>admin reset-factor</code> on the server.
    </p>
  )
}
