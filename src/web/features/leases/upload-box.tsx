import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useState } from 'react'
import { uploadAccept, uploadProblem } from '../../../domain/lease.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { Button } from '../../ui/button.tsx'
import { FilePicker } from '../../ui/file-picker.tsx'
import { toast } from '../../ui/toasts.tsx'
import type { SendFile } from './lease-files.ts'

type UploadBoxProps = {
  label?: string
  hint?: string
  submitLabel?: string
  /** Why nothing can be uploaded yet. */
  disabledReason?: string | undefined
  send: SendFile
  onUploaded: () => unknown
}

/** A scan of the lease that was signed on paper: chosen, sent with its progress, or forgotten again. */
export function UploadBox({
  label = 'Signed lease',
  hint = 'PDF, JPEG or PNG, up to 10 MB.',
  submitLabel = 'Upload Signed Lease',
  disabledReason,
  send,
  onUploaded,
}: UploadBoxProps) {
  const [file, setFile] = useState<File>()
  const [problem, setProblem] = useState<string>()
  const [percent, setPercent] = useState<number>()
  const upload = useMutation({
    mutationFn: (chosen: File) => send(chosen, setPercent),
    onMutate: () => {
      setPercent(0)
      return toast.loading('Uploading...')
    },
    onSuccess: async (_, __, loading) => {
      toast.success('Signed lease uploaded successfully!', undefined, loading)
      setFile(undefined)
      await onUploaded()
    },
    onError: (error, _, loading) => {
      const texts = { failed: 'Failed to upload signed lease', threw: 'Error uploading signed lease' }
      const { title, detail } = toastFailure(error, texts, loading)
      setProblem(detail ?? title)
    },
    onSettled: () => setPercent(undefined),
  })

  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const wrong = uploadProblem(chosen)
    setProblem(wrong)
    setFile(wrong ? undefined : chosen)
    if (!wrong) toast.success('File selected successfully')
  }
  const submit = () => {
    const wrong = uploadProblem(file)
    setProblem(wrong)
    if (file && !wrong) upload.mutate(file)
  }
  const forget = () => {
    setFile(undefined)
    setProblem(undefined)
  }

  return (
    <div className="grid gap-3">
      <FilePicker
        label={label}
        accept={uploadAccept}
        file={file}
        onFile={choose}
        percent={percent}
        error={problem}
        hint={disabledReason ?? hint}
        disabled={disabledReason !== undefined}
      />
      <div className="flex flex-wrap gap-3 max-sm:*:grow">
        <Button
          variant="secondary"
          disabled={disabledReason !== undefined}
          busy={upload.isPending}
          busyLabel="Uploading..."
          onClick={submit}
        >
          <Upload aria-hidden />
          {submitLabel}
        </Button>
        <Button variant="ghost" disabled={(!file && !problem) || upload.isPending} onClick={forget}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
