import type { FieldValues } from 'react-hook-form'
import { toast } from '../ui/toast.ts'
import { useSubmit } from './use-submit.ts'
import type { ZodForm } from './zod-form.ts'

/** Like `useSubmit`, for a dialog: `send` resolves to a toast; what is behind the dialog is read again before it closes. */
export function useDialogSubmit<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  failedText: string,
  { onClose, onSaved }: { onClose: () => void; onSaved: () => unknown },
  send: (output: Output) => Promise<string>,
) {
  const submission = useSubmit(form, failedText, async output => {
    toast.success(await send(output))
    await onSaved()
    onClose()
  })
  return { ...submission, onClose }
}
