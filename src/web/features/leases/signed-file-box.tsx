import { useMutation } from '@tanstack/react-query'
import { ExternalLink, FileCheck2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatMomentDate } from '../../../domain/dates.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { useTimeZone } from '../stays/today.ts'
import { mayReadLease, openSignedLease } from './lease-files.ts'

type SignedFileBoxProps = {
  applicationId: string
  file: { originalName: string; uploadedAt: string }
  /** What a failure to open it says. */
  failedText?: string
  /** What else can be done with it, beside 'View Lease'. */
  action?: ReactNode
}

/** The signed lease that is stored: its name, since when, and the way to see it in a new tab. */
export function SignedFileBox({
  applicationId,
  file,
  failedText = 'Unable to open signed lease',
  action,
}: SignedFileBoxProps) {
  const timeZone = useTimeZone()
  const view = useMutation({
    mutationFn: () => openSignedLease(applicationId),
    onError: error => toastFailure(error, { failed: failedText, threw: failedText }),
  })
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
          onClick={() => mayReadLease() && view.mutate()}
        >
          <ExternalLink aria-hidden />
          View Lease
        </Button>
        {action}
      </div>
    </div>
  )
}
