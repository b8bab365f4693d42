import { useState } from 'react'
import { useLocation } from 'wouter'
import { registerForm } from '../../../domain/account.ts'
import { api, failureOf, failureText } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { showFieldErrors, useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField, TextField } from '../../ui/text-field.tsx'
import { sessionToast } from '../../ui/toasts.tsx'
import { AccountCard } from './account-card.tsx'
import { EmailField } from './account-fields.tsx'
import { TextLink } from './text-link.tsx'

export function RegisterPage() {
  const site = useSite()
  const [, navigate] = useLocation()
  const [error, setError] = useState<string>()
  // Whoever made the account: its password is set anew by the owner of the mailbox.
  const [isTaken, setIsTaken] = useState(false)
  const registration = api.accounts.register.useMutation()
  const form = useZodForm(registerForm, {
    firstName: '',
    lastName: '',
    email: '',
    password: '',
    confirmPassword: '',
  })
  const { register, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async ({ confirmPassword: _, ...account }) => {
    setError(undefined)
    setIsTaken(false)
    try {
      // The session of the answer is not kept: one registers, then logs in.
      await registration.mutateAsync(account)
      sessionToast.success(`Registration successful! Welcome to ${site?.companyName}.`)
      navigate(paths.login, { state: { notice: 'Registration successful! Please log in.' } })
    } catch (cause) {
      const failure = failureOf(cause)
      if (failure.kind === 'refused') showFieldErrors(form, failure.fields)
      setIsTaken(failure.status === 409)
      setError(
        failureText(cause, {
          failed: 'Registration failed',
          threw: 'Registration failed. Please try again.',
          refused: 'Registration failed. Please try again.',
        }),
      )
    }
  })

  return (
    <AccountCard title="Create your account" subtitle="A few details, then you can apply for your dates.">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{error}</FormError>
        {isTaken && <TextLink href={paths.forgotPassword}>Forgot your password?</TextLink>}
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First name"
            autoComplete="given-name"
            required
            error={errors.firstName?.message}
            {...register('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            required
            error={errors.lastName?.message}
            {...register('lastName')}
          />
        </div>
        <EmailField error={errors.email?.message} {...register('email')} />
        <PasswordField
          label="Password"
          hint="At least 6 characters"
          autoComplete="new-password"
          required
          error={errors.password?.message}
          {...register('password')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          required
          error={errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <Button type="submit" size="lg" busy={isSubmitting} busyLabel="Creating your account...">
          Create Account
        </Button>
      </form>
      <p className="mt-6 text-center">
        Already registered? <TextLink href={paths.login}>Sign in</TextLink>
      </p>
    </AccountCard>
  )
}
