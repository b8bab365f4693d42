import { useState } from 'react'
import { api } from '../../api/api.ts'
import { type StepUpPrompt, stepUpMethodsOf } from '../../api/step-up.ts'
import { stepUpToastId } from '../../forms/failure-toast.ts'
import { isSessionExpired } from '../../session/session.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toast } from '../../ui/toast.ts'
import { type Proof, ProofForm } from './proof-form.tsx'

const failed = 'This could not be confirmed. Please try again.'
const texts = { failed, noResponse: failed }

export type StepUpDialogProps = StepUpPrompt & {
  onProven: () => void
  onGiveUp: () => void
  /** Called when too many wrong proofs have ended the session. */
  onEnded: (error: unknown) => void
}

/** Asks for a proof of identity for an action that requires one. */
export function StepUpDialog({ opener, onProven, onGiveUp, onEnded, ...prompt }: StepUpDialogProps) {
  // Another tab may turn two-step verification on or off while the dialog is open.
  const [methods, setMethods] = useState(prompt.methods)
  const utils = api.useUtils()
  const stepUp = api.factors.stepUp.useMutation()
  const prove = async (proof: Proof) => {
    try {
      await stepUp.mutateAsync(proof)
    } catch (error) {
      if (isSessionExpired(error)) return onEnded(error)
      setMethods(stepUpMethodsOf(error) ?? methods)
      throw error
    }
    // The error toast of the same action, if it was canceled before.
    toast.dismiss(stepUpToastId)
    // Reloads the last use of the factors and the number of recovery codes left.
    void utils.factors.list.invalidate()
    onProven()
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && !stepUp.isPending && onGiveUp()}
      size="sm"
      title="Please confirm that it is you"
      description="We ask again when money or personal data is involved. What you started then continues."
      opener={opener}
    >
      <ProofForm
        key={methods.join()}
        methods={methods}
        onProof={prove}
        texts={texts}
        submitLabel="Confirm"
        busyLabel="Checking..."
        cancelLabel="Cancel"
        onCancel={onGiveUp}
      />
    </Dialog>
  )
}
