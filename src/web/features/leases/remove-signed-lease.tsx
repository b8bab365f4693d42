import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/api.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toast } from '../../ui/toasts.tsx'

/** Takes the tenant's own scan away again, after a question. */
export function RemoveSignedLease({
  applicationId,
  onRemoved,
}: {
  applicationId: string
  onRemoved: () => unknown
}) {
  const failed = 'Error removing signed lease'
  const [asking, setAsking] = useState(false)
  const removal = api.leases.removeSigned.useMutation({
    onSuccess: async () => {
      toast.success('Signed lease removed successfully')
      await onRemoved()
    },
    onError: error => toastFailure(error, { failed, threw: failed }),
    onSettled: () => setAsking(false),
  })
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        <Trash2 aria-hidden />
        Remove
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title="Remove the signed lease?"
        body="Your lease then counts as not signed. You can upload another scan or sign it here."
        confirmLabel="Remove"
        cancelLabel="Keep It"
        busy={removal.isPending}
        busyLabel="Removing..."
        onConfirm={() => removal.mutate({ applicationId })}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}
