import { Download } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { LeaseText } from './lease-text.tsx'

type LeasePreviewDialogProps = {
  /** Undefined while loading. */
  text: string | undefined
  downloading: boolean
  onDownload: () => void
  onClose: () => void
}

/** Shows the lease, with a button to download it. */
export function LeasePreviewDialog({ text, downloading, onDownload, onClose }: LeasePreviewDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={next => !next && onClose()}
      title="Lease Agreement"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Close
          </Button>
          <Button
            disabled={text === undefined}
            busy={downloading}
            busyLabel="Downloading..."
            onClick={onDownload}
          >
            <Download aria-hidden />
            Download
          </Button>
        </>
      }
    >
      {text === undefined ? <Spinner label="Loading the lease..." /> : <LeaseText text={text} />}
    </Dialog>
  )
}
