import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { type FailureTexts, failureOf, failureText } from '../../api/api.ts'
import { fieldPropsOf, showFieldErrors, type ZodForm } from '../../forms/zod-form.ts'
import { PasswordField, TextField } from '../../ui/text-field.tsx'

type SubmitTexts = FailureTexts & {
  /** Shows the server's messages at their fields, too. */
  atFields?: boolean
}

/** Submits an account form; what fails is said above it. */
export function useAccountForm<Input extends FieldValues, Output>(
  form: ZodForm<Input, Output>,
  { atFields = false, ...texts }: SubmitTexts,
  send: (input: Output) => Promise<void>,
) {
  const [formError, setFormError] = useState<string>()
  const showFailure = (error: unknown) => {
    const failure = failureOf(error)
    if (atFields && failure.kind === 'refused') showFieldErrors(form, failure.fields)
    setFormError(failureText(error, texts))
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
  return { submit, formError, setFormError, field: fieldPropsOf(form), busy: form.formState.isSubmitting }
}

type FieldProps = Partial<Parameters<typeof TextField>[0]>

export function EmailField(props: FieldProps) {
  return <TextField label="Email" type="email" autoComplete="email" inputMode="email" required {...props} />
}

export function FirstNameField(props: FieldProps) {
  return <TextField label="First name" autoComplete="given-name" required {...props} />
}

export function LastNameField(props: FieldProps) {
  return <TextField label="Last name" autoComplete="family-name" required {...props} />
}

export function CurrentPasswordField(props: FieldProps) {
  return <PasswordField label="Current password" autoComplete="current-password" required {...props} />
}

export function NewPasswordField(props: FieldProps) {
  return <PasswordField label="New password" autoComplete="new-password" required {...props} />
}
