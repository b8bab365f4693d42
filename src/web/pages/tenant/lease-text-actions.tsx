import { useMutation } from '@tanstack/react-query'
import { Download, Eye, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { requireLogin } from '../../features/leases/lease-files.ts'
import { downloadLeasePdf } from '../../features/leases/lease-pdf.ts'
import { LeasePreviewDialog } from '../../features/leases/lease-preview-dialog.tsx'
import { useUser } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import type { LoadedLeaseText } from './use-lease-text.ts'

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
    <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:*:grow max-sm:*:px-3">
      {text.value === undefined && !text.isFirstLoad && (
        <Button busy={text.loading} busyLabel="Loading..." onClick={() => void text.load()}>
          <RefreshCw aria-hidden />
          Load Lease
        </Button>
      )}
      <Button variant="secondary" onClick={ifLoaded(() => setPreviewing(true))}>
        <Eye aria-hidden />
        Preview Lease
      </Button>
      <Button variant="secondary" busy={download.isPending} busyLabel="Downloading..." onClick={save}>
        <Download aria-hidden />
        Download Lease
      </Button>
      {previewing && (
        <LeasePreviewDialog
          open
          text={text.value}
          downloading={download.isPending}
          onDownload={save}
          onClose={() => setPreviewing(false)}
        />
      )}
    </div>
  )
}
