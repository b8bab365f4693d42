import { useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { AccountHistory as History } from '../../../domain/accounts/account.ts'
import { resetForm } from '../../../domain/accounts/account.ts'
import { invalidResetLink } from '../../../domain/accounts/account-rules.ts'
import { api } from '../../api/api.ts'
import { NewPasswordField, useAccountForm } from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { AccountCard, ActionResult } from './account-card.tsx'
import { AccountHistory } from './account-history.tsx'

const failed = 'Failed to reset password. Please try again.'

export function ResetPasswordPage() {
  const [search] = useSearchParams()
  const token = search.get('token')
  const [before, setBefore] = useState<History>()
  if (before) return <Done before={before} />
  if (!token) return <InvalidLink />
  return <ChoosePassword token={token} onDone={setBefore} />
}

type ChoosePasswordProps = {
  token: string
  onDone: (before: History) => void
}

function ChoosePassword({ token, onDone }: ChoosePasswordProps) {
  const reset = api.accounts.resetPassword.useMutation()
  const form = useZodForm(resetForm, {
    newPassword: '',
    confirmPassword: '',
  })
  const texts = { failed, noResponse: failed, atFields: true }
  const { submit, formError, field, busy } = useAccountForm(form, texts, async ({ newPassword }) => {
    const { before } = await reset.mutateAsync({ token, newPassword })
    sessionToast.success('Password reset successfully!')
    onDone(before)
  })

  if (formError === invalidResetLink) return <InvalidLink afterAction />
  return (
    <AccountCard title="Choose a new password">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        <NewPasswordField hint="At least 6 characters" {...field('newPassword')} />
        <NewPasswordField label="Confirm password" {...field('confirmPassword')} />
        <Button type="submit" size="lg" busy={busy} busyLabel="Saving...">
          Reset password
        </Button>
      </form>
    </AccountCard>
  )
}

/** Shown immediately if there is no token, and in place of the form if the server rejects the token. */
function InvalidLink({ afterAction = false }: { afterAction?: boolean }) {
  return (
    <AccountCard title="Invalid Reset Link">
      {afterAction ? <ActionResult role="alert">{invalidResetLink}</ActionResult> : <p>{invalidResetLink}</p>}
      <Button asChild className="mt-6 w-full">
        <Link href={paths.forgotPassword}>Request a new link</Link>
      </Button>
    </AccountCard>
  )
}

function Done({ before }: { before: History }) {
  return (
    <AccountCard title="Password Reset Successful">
      <p role="status">
        Your new password is set, and you were logged out everywhere. Please log in with it.
      </p>
      <Button asChild className="mt-6 w-full">
        <Link href={paths.login}>Go to Login</Link>
      </Button>
      <AccountHistory history={before} />
    </AccountCard>
  )
}
