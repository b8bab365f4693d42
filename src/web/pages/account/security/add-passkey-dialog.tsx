import { passkeyForm } from '../../../../domain/accounts/account-safety-form.ts'
import { safetyMessages } from '../../../../domain/accounts/account-safety-messages.ts'
import { describeBrowser } from '../../../../domain/accounts/user-agent.ts'
import { api, type Inputs } from '../../../api/api.ts'
import { createPasskey } from '../../../features/factors/passkeys.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useZodForm } from '../../../forms/zod-form.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAccountForm } from '../account-form.tsx'
import { useInvalidateFactors } from './security-data.ts'

const passkeyNameForm = passkeyForm.pick({ name: true })

const failed = 'Failed to add the passkey. Please try again.'

type AddPasskeyDialogProps = { opener: Element | null; onAdded: () => void; onClose: () => void }

/** Asks for a name, creates a passkey in the browser, and adds it to the account. */
export function AddPasskeyDialog({ opener, onAdded, onClose }: AddPasskeyDialogProps) {
  const options = api.factors.passkeyOptions.useMutation()
  const add = api.factors.addPasskey.useMutation()
  const invalidate = useInvalidateFactors()
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
      await invalidate()
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
