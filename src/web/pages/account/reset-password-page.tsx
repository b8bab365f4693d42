import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type AccountHistory as History, invalidResetLink, resetForm } from '../../../domain/account.ts'
import { api } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { sessionToast } from '../../ui/toasts.tsx'
import { AccountCard } from './account-card.tsx'
import { NewPasswordField, useAccountForm } from './account-form.tsx'
import { AccountHistory } from './account-history.tsx'
import { TextLink } from './text-link.tsx'

const failed = 'Failed to reset password. Please try again.'

export function ResetPasswordPage() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const [before, setBefore] = useState<History>()
  if (before) return <Done before={before} />
  return token ? <ChoosePassword token={token} onDone={setBefore} /> : <InvalidLink />
}

function ChoosePassword({ token, onDone }: { token: string; onDone: (before: History) => void }) {
  const reset = api.accounts.resetPassword.useMutation()
  const form = useZodForm(resetForm, { newPassword: '', confirmPassword: '' })
  const texts = { failed, threw: failed, atFields: true }
  const { submit, formError, field, busy } = useAccountForm(form, texts, async ({ newPassword }) => {
    const { before } = await reset.mutateAsync({ token, newPassword })
    sessionToast.success('Password reset successfully!')
    onDone(before)
  })

  return (
    <AccountCard title="Choose a new password">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        {formError === invalidResetLink && (
          <TextLink href={paths.forgotPassword}>Request a new link</TextLink>
        )}
        <NewPasswordField hint="At least 6 characters" {...field('newPassword')} />
        <NewPasswordField label="Confirm password" {...field('confirmPassword')} />
        <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
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
