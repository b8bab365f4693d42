import { Download, ExternalLink, FileCheck2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { api } from '../../api/api.ts'
import { ConfirmAction } from '../../forms/confirm-action.tsx'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { requireLogin, useOpenSignedLease } from './lease-files.ts'

type SignedFileBoxProps = {
  applicationId: string
  file: { originalName: string; uploadedAt: string }
  /** The line below the name, by default when the file was uploaded. */
  note?: string | undefined
  /** Set if the tenant may remove the file. */
  onRemoved?: (() => unknown) | undefined
}

/** The stored signed lease: its name, its date, and buttons that open and save it. */
export function SignedFileBox({ applicationId, file, note, onRemoved }: SignedFileBoxProps) {
  const timeZone = useTimeZone()
  const view = useOpenSignedLease(applicationId, 'Unable to open signed lease')
  const download = useOpenSignedLease(applicationId, 'Failed to download lease', file.originalName)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-canvas/60 p-4">
      <FileCheck2 aria-hidden className="size-6 shrink-0 text-green" />
      <div className="min-w-40 grow basis-0">
        <p className="font-semibold wrap-anywhere text-navy">{file.originalName}</p>
        <p className="text-[0.9375rem] text-balance text-muted">
          {note ?? formatMomentDate(file.uploadedAt, timeZone)}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:grow">
        <Button
          variant="secondary"
          size="sm"
          busy={view.isPending}
          busyLabel="Opening..."
          onClick={() => requireLogin() && view.mutate()}
        >
          <ExternalLink aria-hidden />
          View Lease
        </Button>
        <Button
          variant="secondary"
          size="sm"
          busy={download.isPending}
          busyLabel="Downloading..."
          onClick={() => requireLogin() && download.mutate()}
        >
          <Download aria-hidden />
          Download
        </Button>
        {onRemoved && <RemoveSignedLease applicationId={applicationId} onRemoved={onRemoved} />}
      </div>
    </div>
  )
}

type RemoveSignedLeaseProps = { applicationId: string; onRemoved: () => unknown }

/** Removes the tenant's own scan after a confirmation. */
function RemoveSignedLease({ applicationId, onRemoved }: RemoveSignedLeaseProps) {
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
          cancelLabel="Keep it"
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
