import type { FieldValues } from 'react-hook-form'
import { type FailureTexts, failureText } from '../api/failures.ts'
import { PasswordField, TextField } from '../ui/text-field.tsx'
import { useFormSubmit } from './use-submit.ts'
import { fieldPropsOf, type ZodForm } from './zod-form.ts'

type SubmitTexts = FailureTexts & {
  /** Whether to also show the server's messages at their fields. */
  atFields?: boolean
}

/** Submits an account form; errors are shown above it. */
export function useAccountForm<Values extends FieldValues, Output>(
  form: ZodForm<Values, Output>,
  { atFields = false, ...texts }: SubmitTexts,
  send: (output: Output) => Promise<void>,
) {
  const submission = useFormSubmit(form, send, error => failureText(error, texts), { atFields })
  return { ...submission, field: fieldPropsOf(form) }
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
