import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { uploadAccept, uploadError } from '../../../domain/leases/lease.ts'
import type { SignedDocument } from '../../../domain/leases/lease-signing.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { toast } from '../../ui/toast.ts'
import type { SendFile } from './lease-files.ts'

type UploadBoxProps = {
  document?: SignedDocument
  label?: string
  /** The reason why nothing can be uploaded yet. */
  disabledReason?: string | undefined
  send: SendFile
  onUploaded: () => unknown
  /** Called by 'Cancel', if the box can be closed. */
  onCancel?: () => void
}

/** Picks a scan of a lease or an addendum that was signed on paper, and uploads it with a progress bar. */
export function UploadBox({
  document = 'lease',
  label = `Signed ${document}`,
  disabledReason,
  send,
  onUploaded,
  onCancel,
}: UploadBoxProps) {
  const { file, problem, percent, isPending, choose, submit, forget } = useUpload(document, send, onUploaded)
  return (
    <div className="grid gap-3">
      <FilePicker
        label={label}
        accept={uploadAccept}
        file={file}
        onFile={choose}
        percent={percent}
        error={problem}
        hint={disabledReason ?? 'PDF, JPEG or PNG, up to 10 MB.'}
        disabled={disabledReason !== undefined}
      />
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button
          variant="secondary"
          disabled={disabledReason !== undefined}
          busy={isPending}
          busyLabel="Uploading..."
          onClick={submit}
        >
          <Upload aria-hidden />
          Upload Signed {document === 'lease' ? 'Lease' : 'Addendum'}
        </Button>
        <Button
          variant="ghost"
          disabled={(!file && !problem && !onCancel) || isPending}
          onClick={() => {
            forget()
            onCancel?.()
          }}
        >
          Cancel
        </Button>
      </div>
    </div>
  )
}

/** The chosen file, its problem if any, and the upload progress. */
function useUpload(document: SignedDocument, send: SendFile, onUploaded: () => unknown) {
  const [file, setFile] = useState<File>()
  const [problem, setError] = useState<string>()
  const [percent, setPercent] = useState<number>()
  const upload = useMutation({
    mutationFn: (chosen: File) => send(chosen, setPercent),
    onMutate: () => {
      setPercent(0)
      return toast.loading('Uploading...')
    },
    onSuccess: async (_, __, loading) => {
      toast.success(`Signed ${document} uploaded successfully!`, undefined, loading)
      setFile(undefined)
      await onUploaded()
    },
    onError: (error, _, loading) => {
      const texts = {
        failed: `Failed to upload signed ${document}`,
        noResponse: `Error uploading signed ${document}`,
      }
      setError(toastFailure(error, texts, loading).message)
    },
    onSettled: () => setPercent(undefined),
  })

  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const found = uploadError(chosen)
    setError(found)
    setFile(found ? undefined : chosen)
    if (!found) toast.success('File selected successfully')
  }
  const submit = () => {
    const found = uploadError(file)
    setError(found)
    if (file && !found) upload.mutate(file)
  }
  const forget = () => {
    setFile(undefined)
    setError(undefined)
  }
  return { file, problem, percent, isPending: upload.isPending, choose, submit, forget }
}
