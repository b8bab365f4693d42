import { useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { toastFailure } from './failure-toast.ts'
import { showFieldErrors } from './zod-form.ts'

/** Sends what a form holds once it is checked. What fails is told in a toast, above the form and at its fields. */
export function useSubmit<Input extends FieldValues, Output>(
  form: UseFormReturn<Input, unknown, Output>,
  texts: { failed: string; threw: string },
  send: (input: Output) => Promise<void>,
) {
  const [refusal, setRefusal] = useState<string>()
  const submit = form.handleSubmit(async input => {
    setRefusal(undefined)
    try {
      await send(input)
    } catch (error) {
      const { title, detail, fields } = toastFailure(error, texts)
      setRefusal(detail ?? title)
      showFieldErrors(form, fields)
    }
  })
  return { submit, refusal }
}
