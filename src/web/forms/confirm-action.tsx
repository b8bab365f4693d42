import { useMutation } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { type Done, toastDone, useReadAgain } from './change.ts'
import { toastFailure } from './failure-toast.ts'

type QuestionProps = Pick<
  ComponentProps<typeof ConfirmDialog>,
  'title' | 'body' | 'confirmLabel' | 'cancelLabel' | 'busyLabel'
>
type ConfirmActionProps = QuestionProps & {
  action: () => Promise<Done>
  failedText: string
  /** Awaited before the dialog closes; by default everything on the screen is read again. */
  onSuccess?: () => unknown
  onClose: () => void
}

/** Asks for confirmation before an irreversible action, runs it, and shows the outcome in a toast. */
export function ConfirmAction({ action, failedText, onSuccess, onClose, ...question }: ConfirmActionProps) {
  const readAgain = useReadAgain()
  const run = useMutation({
    mutationFn: action,
    onSuccess: async done => {
      await (onSuccess ?? readAgain)()
      toastDone(done)
    },
    onError: error => {
      toastFailure(error, failedText)
      void readAgain()
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

type RemoveDialogProps = Pick<ConfirmActionProps, 'body' | 'onSuccess' | 'onClose'> & {
  /** The name of what is removed, and the kind of thing it is: 'Airbnb', 'Calendar'. */
  name: string
  noun: string
  /** Resolves to the server's message, if it has one. */
  remove: () => Promise<unknown>
}

/** Asks for confirmation before one entry of a list is removed. */
export function RemoveDialog({ name, noun, remove, ...props }: RemoveDialogProps) {
  return (
    <ConfirmAction
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      busyLabel="Removing..."
      action={async () => {
        const answer = await remove()
        const title = `${noun} removed`
        return typeof answer === 'string' ? { title, detail: answer } : title
      }}
      failedText={`Failed to remove ${noun.toLowerCase()}`}
      {...props}
    />
  )
}
