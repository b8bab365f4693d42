import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ComponentProps } from 'react'
import { fetchFile, saveFile } from '../api/files.ts'
import { Button } from '../ui/button.tsx'
import { toastFailure } from './failure-toast.ts'

type ServerFile = {
  path: string
  /** Sent by POST. */
  input?: unknown
  saveAs: string
  failedText: string
}

/** Downloads a file from the server; shows a toast if that fails. */
export function useDownload({ path, input, saveAs, failedText }: ServerFile) {
  return useMutation({
    mutationFn: async () => saveFile(await fetchFile(path, input), saveAs),
    onError: error => toastFailure(error, failedText),
  })
}

type DownloadButtonProps = ServerFile & ComponentProps<typeof Button>

export function DownloadButton(props: DownloadButtonProps) {
  const { busyLabel = 'Downloading...', children, failedText, input, path, saveAs, ...button } = props
  const { isPending, mutate } = useDownload({ path, input, saveAs, failedText })
  return (
    <Button variant="secondary" {...button} busy={isPending} busyLabel={busyLabel} onClick={() => mutate()}>
      <Download aria-hidden />
      {children}
    </Button>
  )
}
