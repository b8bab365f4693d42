import type { UseFormReturn } from 'react-hook-form'
import type { LoginValues } from '../../../domain/account.ts'
import { PasswordField, TextField } from '../../ui/text-field.tsx'

type TextFieldProps = Parameters<typeof TextField>[0]

/** The e-mail of an account. */
export function EmailField(props: Omit<TextFieldProps, 'label' | 'type'>) {
  return <TextField label="Email" type="email" autoComplete="email" inputMode="email" required {...props} />
}

type CredentialFieldsProps<Output> = { form: UseFormReturn<LoginValues, unknown, Output> }

/** What one signs in with. */
export function CredentialFields<Output>({ form: { register, formState } }: CredentialFieldsProps<Output>) {
  const { errors } = formState
  return (
    <>
      <EmailField error={errors.email?.message} {...register('email')} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={errors.password?.message}
        {...register('password')}
      />
    </>
  )
}
