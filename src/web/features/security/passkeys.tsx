import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { passkeyForm } from '../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../domain/accounts/account-safety-messages.ts'
import { maxPasskeys } from '../../../domain/accounts/factor.ts'
import { describeBrowser } from '../../../domain/accounts/user-agent.ts'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { api, type Inputs } from '../../api/api.ts'
import { useAccountForm } from '../../forms/account-form.tsx'
import { useReadAgain } from '../../forms/change.ts'
import { ConfirmAction } from '../../forms/confirm-action.tsx'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toast } from '../../ui/toast.ts'
import { canUsePasskeys, createPasskey } from '../factors/passkeys.ts'
import { useTimeZone } from '../stays/today.ts'
import { type Factor, LastUse, Section } from './section.tsx'

type PasskeysProps = {
  passkeys: readonly Factor[]
  /** Whether passkeys are the account's only second factor. */
  isOnlyFactor: boolean
  /** Calls back once the account's mailbox is proven. */
  withMailbox: (go: () => void) => void
  opener: Element | null
  onAdded: () => void
}

/** The account's passkeys. Each of them can be used to log in without a password. */
export function Passkeys({ passkeys, isOnlyFactor, opener, withMailbox, onAdded }: PasskeysProps) {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Factor>()
  const timeZone = useTimeZone()
  const isFull = passkeys.length >= maxPasskeys
  const canAdd = canUsePasskeys() && !isFull
  return (
    <Section
      title="Passkeys"
      action={
        canAdd && (
          <Button variant="secondary" onClick={() => withMailbox(() => setAdding(true))}>
            <Plus aria-hidden />
            Add a passkey
          </Button>
        )
      }
    >
      <p>Log in with your fingerprint, your face or the PIN of your device, without a password.</p>
      {!canUsePasskeys() && <p className="text-muted">This browser cannot add passkeys.</p>}
      {isFull && <p className="text-muted">{safetyMessages.tooManyPasskeys}</p>}
      {passkeys.length > 0 && (
        <ul className="divide-y divide-line rounded-control border border-line">
          {passkeys.map(factor => (
            <li key={factor.id} className="flex items-center justify-between gap-4 py-2 pr-2 pl-4">
              <div className="min-w-0">
                <p className="font-semibold wrap-anywhere text-navy">{factor.label}</p>
                <p className="text-[0.9375rem] text-muted">
                  Added {formatMomentDate(factor.createdAt, timeZone)}
                </p>
                <LastUse factor={factor} />
              </div>
              <Button size="sm" variant="ghost" className="text-red" onClick={() => setRemoved(factor)}>
                <Trash2 aria-hidden />
                Remove<span className="sr-only"> {factor.label}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddPasskeyDialog opener={opener} onAdded={onAdded} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmRemovePasskey
          factor={removed}
          isLast={isOnlyFactor && passkeys.length === 1}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

const passkeyNameForm = passkeyForm.pick({ name: true })

const failed = 'Failed to add the passkey. Please try again.'

type AddPasskeyDialogProps = { opener: Element | null; onAdded: () => void; onClose: () => void }

/** Asks for a name, creates a passkey in the browser, and adds it to the account. */
function AddPasskeyDialog({ opener, onAdded, onClose }: AddPasskeyDialogProps) {
  const options = api.factors.passkeyOptions.useMutation()
  const add = api.factors.addPasskey.useMutation()
  const readAgain = useReadAgain()
  const form = useZodForm(passkeyNameForm, { name: describeBrowser(navigator.userAgent) })
  const texts = { failed, noResponse: failed, atFields: true }
  const { field, setFormError, ...submission } = useAccountForm(
    form,
    texts,
    async ({ name }): Promise<void> => {
      const answer = await options.mutateAsync()
      const made = await make(answer.options)
      if ('refusal' in made) return setFormError(made.refusal)
      await add.mutateAsync({ name, credential: made.credential })
      await readAgain()
      toast.success('Passkey added')
      onClose()
      onAdded()
    },
  )
  return (
    <FormDialog
      {...submission}
      title="Add a passkey"
      opener={opener}
      size="sm"
      submitLabel="Continue"
      busyLabel="Waiting for your passkey..."
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        autoComplete="off"
        hint="Where you keep it, so that you recognize it later."
        {...field('name')}
      />
    </FormDialog>
  )
}

type NewCredential = Inputs['factors']['addPasskey']['credential']

/** Creates a passkey; returns an error message if the browser did not create one. */
async function make(
  options: Record<string, unknown>,
): Promise<{ credential: NewCredential } | { refusal: string }> {
  try {
    return { credential: (await createPasskey(options)) as NewCredential }
  } catch (error) {
    const isKnown = error instanceof DOMException && error.name === 'InvalidStateError'
    return { refusal: isKnown ? safetyMessages.passkeyExists : 'No passkey was created. Please try again.' }
  }
}

const lastOne = 'Your password alone will then open your account, and your recovery codes will stop working.'

type ConfirmRemovalProps = {
  factor: Factor
  /** Whether only the password protects the account after this factor is removed. */
  isLast: boolean
  onClose: () => void
}

/** Asks for confirmation before the authenticator app is removed. */
export function ConfirmTurnOff({ factor, isLast, onClose }: ConfirmRemovalProps) {
  const remove = api.factors.remove.useMutation()
  return (
    <ConfirmAction
      title={isLast ? 'Turn off two-step verification?' : 'Turn off codes from your app?'}
      body={isLast ? lastOne : 'Your account will then ask for a passkey after the password.'}
      confirmLabel="Turn off"
      busyLabel="Turning off..."
      failedText="Failed to turn off"
      action={async () => {
        await remove.mutateAsync({ id: factor.id })
        return isLast ? 'Two-step verification is off' : 'Codes from your app are off'
      }}
      onClose={onClose}
    />
  )
}

/** Asks for confirmation before a passkey is removed. */
function ConfirmRemovePasskey({ factor, isLast, onClose }: ConfirmRemovalProps) {
  const remove = api.factors.remove.useMutation()
  return (
    <ConfirmAction
      title={`Remove the passkey “${factor.label}”?`}
      body={isLast ? lastOne : 'It will no longer open your account.'}
      confirmLabel="Remove"
      busyLabel="Removing..."
      failedText="Failed to remove the passkey"
      action={async () => {
        await remove.mutateAsync({ id: factor.id })
        return 'Passkey removed'
      }}
      onClose={onClose}
    />
  )
}
