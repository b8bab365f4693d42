import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type AccountHistory as History, invalidResetLink, resetForm } from '../../../domain/account.ts'
import { api, failureOf, refusalOr } from '../../api/api.ts'
import { showFieldErrors, useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { sessionToast } from '../../ui/toasts.tsx'
import { AccountCard } from './account-card.tsx'
import { AccountHistory } from './account-history.tsx'
import { TextLink } from './text-link.tsx'

export function ResetPasswordPage() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const [before, setBefore] = useState<History>()
  if (before) return <Done before={before} />
  return token ? <ChoosePassword token={token} onDone={setBefore} /> : <InvalidLink />
}

function ChoosePassword({ token, onDone }: { token: string; onDone: (before: History) => void }) {
  const [error, setError] = useState<string>()
  const reset = api.accounts.resetPassword.useMutation()
  const form = useZodForm(resetForm, { newPassword: '', confirmPassword: '' })
  const { register, handleSubmit, formState } = form

  const submit = handleSubmit(async ({ newPassword }) => {
    setError(undefined)
    try {
      const { before } = await reset.mutateAsync({ token, newPassword })
      sessionToast.success('Password reset successfully!')
      onDone(before)
    } catch (cause) {
      const failure = failureOf(cause)
      if (failure.kind === 'refused') showFieldErrors(form, failure.fields)
      setError(refusalOr(cause, 'Failed to reset password. Please try again.'))
    }
  })

  return (
    <AccountCard title="Choose a new password">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{error}</FormError>
        {error === invalidResetLink && <TextLink href={paths.forgotPassword}>Request a new link</TextLink>}
        <PasswordField
          label="New password"
          hint="At least 6 characters"
          autoComplete="new-password"
          required
          error={formState.errors.newPassword?.message}
          {...register('newPassword')}
        />
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          required
          error={formState.errors.confirmPassword?.message}
          {...register('confirmPassword')}
        />
        <Button type="submit" size="lg" busy={formState.isSubmitting} busyLabel="Saving...">
          Reset Password
        </Button>
      </form>
    </AccountCard>
  )
}

function InvalidLink() {
  return (
    <AccountCard title="Invalid Reset Link">
      <p>{invalidResetLink}</p>
      <Button asChild className="mt-6 w-full">
        <Link href={paths.forgotPassword}>Request a New Link</Link>
      </Button>
    </AccountCard>
  )
}

function Done({ before }: { before: History }) {
  return (
    <AccountCard title="Password Reset Successful">
      <p role="status">
        Your new password is set, and you were signed out everywhere. Please log in with it.
      </p>
      <Button asChild className="mt-6 w-full">
        <Link href={paths.login}>Go to Login</Link>
      </Button>
      <AccountHistory history={before} />
    </AccountCard>
  )
}
