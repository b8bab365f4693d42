import { useState } from 'react'
import { forgotForm } from '../../../domain/accounts/account.ts'
import { forgotResponse } from '../../../domain/accounts/account-rules.ts'
import { api } from '../../api/api.ts'
import { EmailField, useAccountForm } from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { toast } from '../../ui/toast.ts'
import { AccountCard, TextLink } from './account-card.tsx'

const failed = 'Failed to send reset email. Please try again.'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  return sentTo === undefined ? (
    <Request onSent={setSentTo} />
  ) : (
    <CheckYourEmail sentTo={sentTo} onAgain={() => setSentTo(undefined)} />
  )
}

function Request({ onSent }: { onSent: (email: string) => void }) {
  const request = api.accounts.forgotPassword.useMutation()
  const form = useZodForm(forgotForm, { email: '' })
  const texts = { failed, noResponse: failed }
  const { submit, formError, field, busy } = useAccountForm(form, texts, async ({ email }) => {
    await request.mutateAsync({ email })
    toast.success(forgotResponse)
    onSent(email)
  })

  return (
    <AccountCard title="Forgot your password?" subtitle="We will send you a link to choose a new one.">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        <EmailField {...field('email')} />
        <Button type="submit" size="lg" busy={busy} busyLabel="Sending...">
          Send reset link
        </Button>
      </form>
      <p className="mt-6 text-center">
        <TextLink href={paths.login}>Back to Login</TextLink>
      </p>
    </AccountCard>
  )
}

function CheckYourEmail({ sentTo, onAgain }: { sentTo: string; onAgain: () => void }) {
  return (
    <AccountCard title="Check Your Email">
      <p role="status">
        If an account belongs to <strong className="break-words">{sentTo}</strong>, a link to choose a new
        password is on its way. It works once and for one hour. Check your spam folder, too.
      </p>
      <div className="mt-6 grid gap-4 text-center">
        <Button variant="secondary" onClick={onAgain}>
          Try Different Email
        </Button>
        <TextLink href={paths.login}>Back to Login</TextLink>
      </div>
    </AccountCard>
  )
}
