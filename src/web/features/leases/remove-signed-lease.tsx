import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { ConfirmAction } from '../../forms/confirm-action.tsx'
import { Button } from '../../ui/button.tsx'

type RemoveSignedLeaseProps = { applicationId: string; onRemoved: () => unknown }

/** Removes the tenant's own scan after a confirmation. */
export function RemoveSignedLease({ applicationId, onRemoved }: RemoveSignedLeaseProps) {
  const [asking, setAsking] = useState(false)
  const remove = api.leases.removeSigned.useMutation()
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Remove
      </Button>
      {asking && (
        <ConfirmAction
          title="Remove the signed lease?"
          body="Your lease will then be unsigned. You can upload another scan or sign it here."
          confirmLabel="Remove"
          cancelLabel="Keep It"
          busyLabel="Removing..."
          action={async () => {
            await remove.mutateAsync({ applicationId })
            return 'Signed lease removed successfully'
          }}
          failedText="Error removing signed lease"
          onSuccess={onRemoved}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
