import { ExternalLink, FileCheck2 } from 'lucide-react'
import { formatMomentDate } from '../../../domain/common/dates.ts'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { requireLogin } from './lease-files.ts'
import { RemoveSignedLease } from './remove-signed-lease.tsx'
import { useOpenSignedLease } from './use-open-signed-lease.ts'

type SignedFileBoxProps = {
  applicationId: string
  file: { originalName: string; uploadedAt: string }
  /** Shown if the file cannot be opened. */
  failedText?: string
  /** Set if the tenant may remove the file. */
  onRemoved?: (() => unknown) | undefined
}

/** The stored signed lease: its name, its date, and a button that opens it. */
export function SignedFileBox({
  applicationId,
  file,
  failedText = 'Unable to open signed lease',
  onRemoved,
}: SignedFileBoxProps) {
  const timeZone = useTimeZone()
  const view = useOpenSignedLease(applicationId, failedText)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-control border border-line bg-canvas/60 p-4">
      <FileCheck2 aria-hidden className="size-6 shrink-0 text-green" />
      <div className="min-w-40 grow basis-0">
        <p className="font-semibold wrap-anywhere text-navy">{file.originalName}</p>
        <p className="text-[0.9375rem] text-muted">Uploaded {formatMomentDate(file.uploadedAt, timeZone)}</p>
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
        {onRemoved && <RemoveSignedLease applicationId={applicationId} onRemoved={onRemoved} />}
      </div>
    </div>
  )
}
