import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type FailureTexts, toastFailure } from './failure-toast.ts'
import { showFieldErrors, type ZodForm } from './zod-form.ts'

/** Sends what a form holds once it is valid. A failure shows in a toast, above the form and at its fields. */
export function useSubmit<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  texts: FailureTexts,
  send: (input: Output) => Promise<void>,
) {
  const [formError, setFormError] = useState<string>()
  const showFailure = (error: unknown) => {
    const { message, fields } = toastFailure(error, texts)
    setFormError(message)
    showFieldErrors(form, fields)
  }
  const submit = form.handleSubmit(
    async input => {
      setFormError(undefined)
      try {
        await send(input)
      } catch (error) {
        showFailure(error)
      }
    },
    undefined,
    showFailure,
  )
  return { submit, formError, busy: form.formState.isSubmitting }
}
