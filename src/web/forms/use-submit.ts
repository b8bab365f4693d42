import { useState } from 'react'
import { failureOf } from '../api/failures.ts'
import { type ToastTexts, toastFailure } from './failure-toast.ts'
import { showFieldErrors, type ZodForm } from './zod-form.ts'

/**
 * Submits a valid form. Errors are shown at their fields, unless `atFields` is false, and above the form with the text
 * that `explain` returns.
 */
export function useFormSubmit<Values extends object, Output, Message = string>(
  form: ZodForm<Values, Output>,
  send: (output: Output) => Promise<void>,
  explain: (error: unknown, isAtField: boolean) => Message | undefined,
  { atFields = true, onInvalid }: { atFields?: boolean; onInvalid?: () => void } = {},
) {
  const [formError, setFormError] = useState<Message>()
  const showFailure = (error: unknown) => {
    const failure = failureOf(error)
    const isAtField = atFields && failure.kind === 'refused' && showFieldErrors(form, failure.fields)
    const message = explain(error, isAtField)
    setFormError(() => message)
  }
  const submit = form.handleSubmit(
    async output => {
      setFormError(undefined)
      await send(output).catch(showFailure)
    },
    () => {
      setFormError(undefined)
      onInvalid?.()
    },
    showFailure,
  )
  return { submit, formError, setFormError, busy: form.isSubmitting }
}

/** Like `useFormSubmit`, but also shows the error in a toast. */
export function useSubmit<Values extends object, Output>(
  form: ZodForm<Values, Output>,
  texts: ToastTexts,
  send: (output: Output) => Promise<void>,
) {
  const { submit, formError, busy } = useFormSubmit(form, send, error => toastFailure(error, texts).message)
  return { submit, formError, busy }
}
