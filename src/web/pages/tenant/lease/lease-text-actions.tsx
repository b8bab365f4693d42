import { useMutation } from '@tanstack/react-query'
import { Download, Eye, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { leaseMessages } from '../../../../domain/leases/lease.ts'
import { api } from '../../../api/api.ts'
import { failureOf } from '../../../api/failures.ts'
import { requireLogin } from '../../../features/leases/lease-files.ts'
import { downloadLeasePdf } from '../../../features/leases/lease-pdf.ts'
import { LeasePreviewDialog } from '../../../features/leases/lease-preview-dialog.tsx'
import { toastFailure } from '../../../forms/failure-toast.ts'
import { useUser } from '../../../session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'

type LeaseTextActionsProps = {
  lease: { firstName: string | null; lastName: string | null }
  text: LoadedLeaseText
}

/** Loads, shows and downloads the lease's text; the browser creates the PDF. */
export function LeaseTextActions({ lease, text }: LeaseTextActionsProps) {
  const user = useUser()
  const [previewing, setPreviewing] = useState(false)
  const download = useMutation({
    mutationFn: async () => {
      const { firstName, lastName } = lease
      return downloadLeasePdf({
        text: text.value,
        firstName: firstName ?? user.firstName,
        lastName: lastName ?? user.lastName,
      })
    },
    onSuccess: saved => saved && toast.success('Lease agreement downloaded successfully as PDF!'),
    onError: error => {
      console.warn('The PDF could not be made:', error)
      toast.error('Error downloading lease agreement')
    },
  })
  const ifLoaded = (act: () => void) => () => {
    if (!requireLogin()) return
    if (text.value) act()
    else toast.error('No lease content available. Please generate the lease first.')
  }
  const save = ifLoaded(() => download.mutate())
  return (
    <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow max-sm:*:px-3 max-sm:[&_svg]:hidden">
      {text.value === undefined && !text.isFirstLoad && (
        <Button busy={text.loading} busyLabel="Loading..." onClick={() => void text.load()}>
          <RefreshCw aria-hidden />
          Load Lease
        </Button>
      )}
      <Button variant="secondary" disabled={text.isFirstLoad} onClick={ifLoaded(() => setPreviewing(true))}>
        <Eye aria-hidden />
        Preview Lease
      </Button>
      <Button
        variant="secondary"
        disabled={text.isFirstLoad}
        busy={download.isPending}
        busyLabel="Downloading..."
        onClick={save}
      >
        <Download aria-hidden />
        Download Lease
      </Button>
      {previewing && (
        <LeasePreviewDialog
          text={text.value}
          downloading={download.isPending}
          onDownload={save}
          onClose={() => setPreviewing(false)}
        />
      )}
    </div>
  )
}

type LoadedLeaseText = ReturnType<typeof useLeaseText>

/** The text of a lease, loaded automatically if the lease has dates, and reloaded by 'Load Lease'. */
export function useLeaseText(lease: { applicationId: string; leaseStartDate: string | null }) {
  const query = api.leases.preview.useQuery(
    { id: lease.applicationId },
    { enabled: lease.leaseStartDate !== null, refetchOnMount: 'always' },
  )
  const { data, error, errorUpdateCount, isFetching } = query
  const isMissing = data === undefined && !isFetching
  useEffect(() => {
    if (errorUpdateCount > 0 && error && isMissing) showFailure(error)
  }, [error, errorUpdateCount, isMissing])

  return {
    value: data?.leaseText,
    loading: isFetching,
    /** Whether the text is being loaded automatically for the first time. */
    isFirstLoad: isFetching && errorUpdateCount === 0,
    load: async () => {
      if (!requireLogin()) return
      const { isSuccess } = await query.refetch()
      if (isSuccess) toast.success('Lease agreement loaded successfully!')
    },
  }
}

function showFailure(error: unknown): void {
  const failure = failureOf(error)
  const isNotGenerated =
    failure.kind === 'refused' && failure.status === 404 && failure.message === leaseMessages.notGenerated
  const text = 'Error loading lease agreement'
  if (isNotGenerated) toast.error('Please contact an administrator to generate your lease.')
  else toastFailure(error, { failed: text, noResponse: text })
}
