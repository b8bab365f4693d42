import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { toastFailure } from './failure-toast.ts'

type QuestionProps = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'body' | 'confirmLabel' | 'cancelLabel' | 'busyLabel'
>
type ConfirmActionProps = QuestionProps & {
  /** Resolves to the text of the success toast. */
  action: () => Promise<string>
  failedText: string
  /** The dialog closes once this has resolved. */
  onSuccess?: () => unknown
  onError?: () => void
  onClose: () => void
}

/** Asks before an action that cannot be undone, runs it, and shows in a toast how it ended. */
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
    onSuccess: async text => {
      toast.success(text)
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
