import { useState } from 'react'
import { forgotAnswer, forgotForm } from '../../../domain/account.ts'
import { api, refusalOr } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AccountCard } from './account-card.tsx'
import { EmailField } from './account-fields.tsx'
import { TextLink } from './text-link.tsx'

export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>()
  return sentTo === undefined ? (
    <Request onSent={setSentTo} />
  ) : (
    <CheckYourEmail sentTo={sentTo} onAgain={() => setSentTo(undefined)} />
  )
}

function Request({ onSent }: { onSent: (email: string) => void }) {
  const [error, setError] = useState<string>()
  const request = api.accounts.forgotPassword.useMutation()
  const { register, handleSubmit, formState } = useZodForm(forgotForm, { email: '' })

  const submit = handleSubmit(async ({ email }) => {
    setError(undefined)
    try {
      await request.mutateAsync({ email })
      toast.success(forgotAnswer)
      onSent(email)
    } catch (cause) {
      setError(refusalOr(cause, 'Failed to send reset email. Please try again.'))
    }
  })

  return (
    <AccountCard title="Forgot your password?" subtitle="We will send you a link to choose a new one.">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{error}</FormError>
        <EmailField error={formState.errors.email?.message} {...register('email')} />
        <Button type="submit" size="lg" busy={formState.isSubmitting} busyLabel="Sending...">
          Send Reset Link
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
        password is on its way. It works once and for one hour. Look into the spam folder too.
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
