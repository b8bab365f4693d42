import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FieldValues } from 'react-hook-form'
import { toast } from '../ui/toast.ts'
import { type ToastTexts, toastFailure } from './failure-toast.ts'
import { useSubmit } from './use-submit.ts'
import type { ZodForm } from './zod-form.ts'

/** The text of a success toast, or its title and detail. */
export type Done = string | { title: string; detail?: string | undefined }

export function toastDone(done: Done): void {
  if (typeof done === 'string') toast.success(done)
  else toast.success(done.title, done.detail)
}

/** Reads everything on the screen again, because a change of one thing shows in others. Resolves when it is there. */
export function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries()
}

/** A change by a button: its outcome is shown in a toast, and everything on the screen is read again. */
export function useChange<Input = void>(failedText: ToastTexts, change: (input: Input) => Promise<Done>) {
  return useMutation({
    mutationFn: change,
    onSuccess: toastDone,
    onError: error => void toastFailure(error, failedText),
    onSettled: useReadAgain(),
  })
}

/**
 * Like `useSubmit`, for a dialog: `send` resolves to a toast, which follows once everything on the screen is read again and
 * the dialog is closed. It is also read again after a failure: another change may be the reason, or only the answer was lost.
 */
export function useDialogSubmit<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  failedText: string,
  onClose: () => void,
  send: (output: Output) => Promise<Done>,
) {
  const readAgain = useReadAgain()
  const submission = useSubmit(form, failedText, async output => {
    const done = await send(output).catch(error => {
      void readAgain()
      throw error
    })
    await readAgain()
    onClose()
    toastDone(done)
  })
  return { ...submission, onClose }
}
