import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toast.ts'
import { toastFailure } from './failure-toast.ts'

type QuestionProps = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'body' | 'confirmLabel' | 'cancelLabel' | 'busyLabel'
>
type ConfirmActionProps = QuestionProps & {
  /** Resolves to the text of the success toast, or to its title and detail. */
  action: () => Promise<string | { title: string; detail: string }>
  failedText: string
  /** Awaited before the dialog closes. */
  onSuccess?: () => unknown
  onError?: () => void
  onClose: () => void
}

/** Asks for confirmation before an irreversible action, runs it, and shows the outcome in a toast. */
export function ConfirmAction({
  action,
  failedText,
  onSuccess,
  onError,
  onClose,
  ...question
}: ConfirmActionProps) {
  const run = useMutation({
    mutationFn: action,
    onSuccess: async done => {
      if (typeof done === 'string') toast.success(done)
      else toast.success(done.title, done.detail)
      await onSuccess?.()
    },
    onError: error => {
      toastFailure(error, failedText)
      onError?.()
    },
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      {...question}
      open
      danger
      busy={run.isPending}
      onConfirm={() => run.mutate()}
      onCancel={onClose}
    />
  )
}
