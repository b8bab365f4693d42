import { api } from '../../../api/api.ts'
import { LeaseText } from '../../../features/leases/lease-text.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import type { Application } from './application-data.ts'

type LeaseTextDialogProps = { application: Application; onClose: () => void }

export function LeaseTextDialog({ application, onClose }: LeaseTextDialogProps) {
  const utils = api.useUtils()
  const close = () => {
    // The lease's history records who viewed it.
    void utils.leases.trail.invalidate()
    onClose()
  }
  const preview = api.leases.preview.useQuery(
    { id: application.id },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false },
  )
  return (
    <Dialog open onOpenChange={close} title="Lease Agreement" footer={<Button onClick={close}>Close</Button>}>
      <QueryView query={preview} loading="Loading the lease..." error="Failed to load preview">
        {({ leaseText, leaseTextSha256 }) => (
          <>
            <LeaseText text={leaseText} />
            <p className="mx-auto mt-6 max-w-[61ch] border-t border-line pt-3 text-sm wrap-anywhere text-muted">
              SHA-256 of this text: {leaseTextSha256}
            </p>
          </>
        )}
      </QueryView>
    </Dialog>
  )
}
