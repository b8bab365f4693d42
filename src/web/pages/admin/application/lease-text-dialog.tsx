import { api } from '../../../api/api.ts'
import { LeaseText } from '../../../features/leases/lease-preview-dialog.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'

export function LeaseTextDialog({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const utils = api.useUtils()
  const close = () => {
    // Reading it is noted in the trail.
    void utils.leases.trail.invalidate()
    onClose()
  }
  const preview = api.leases.preview.useQuery(
    { id: applicationId },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  )
  return (
    <Dialog
      open
      size="lg"
      onOpenChange={close}
      title="Lease Agreement"
      footer={<Button onClick={close}>Close</Button>}
    >
      <QueryView query={preview} loading="Loading the lease..." error="Failed to load preview">
        {({ leaseText, leaseTextSha256 }) => (
          <>
            <LeaseText text={leaseText} />
            <p className="mt-5 border-t border-line pt-3 text-sm wrap-anywhere text-muted">
              SHA-256 of this text: {leaseTextSha256}
            </p>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}
