import { useState } from 'react'
import { api } from '../../../api/api.ts'
import { failureText } from '../../../api/failures.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useInvalidateFactors } from './security-data.ts'

const failed = 'Failed to make recovery codes. Please try again.'

type NewCodesDialogProps = {
  recoveryCodesLeft: number
  onClose: () => void
}

/** Creates a new set of recovery codes and shows them once. It stays open until the person has saved the codes. */
export function NewCodesDialog({ recoveryCodesLeft, onClose }: NewCodesDialogProps) {
  // The number of codes that stop working: as many as there were before.
  const [replaced] = useState(recoveryCodesLeft)
  const [codes, setCodes] = useState<string[]>()
  const invalidate = useInvalidateFactors()
  const make = api.factors.newRecoveryCodes.useMutation({
    onSuccess: ({ recoveryCodes }) => {
      setCodes(recoveryCodes)
      void invalidate()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={() => !make.isPending && onClose()}
      dismissible={!codes}
      title={codes ? 'Your recovery codes' : 'New recovery codes'}
      footer={
        codes ? (
          <Button onClick={onClose}>I have kept them</Button>
        ) : (
          <>
            <Button variant="secondary" disabled={make.isPending} onClick={onClose}>
              {replaced === 0 ? 'Not now' : 'Cancel'}
            </Button>
            <Button busy={make.isPending} busyLabel="Making codes..." onClick={() => make.mutate()}>
              Make new codes
            </Button>
          </>
        )
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} replaced={replaced} />
      ) : (
        <div className="grid gap-4">
          <FormError>{make.error && failureText(make.error, { failed, noResponse: failed })}</FormError>
          <p>
            {replaced === 0
              ? 'You have no recovery codes yet. They let you in if you lose your phone or passkey.'
              : `The ${replaced === 1 ? 'code that you have' : `${replaced} codes that you have`} will stop working.`}
          </p>
        </div>
      )}
    </Dialog>
  )
}
