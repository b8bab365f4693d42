import { useLocation } from 'wouter'
import { registerForm } from '../../../domain/accounts/account.ts'
import { api } from '../../api/api.ts'
import { failureOf } from '../../api/failures.ts'
import { useSite } from '../../api/site.ts'
import {
  EmailField,
  FirstNameField,
  LastNameField,
  NewPasswordField,
  useAccountForm,
} from '../../forms/account-form.tsx'
import { useZodForm } from '../../forms/zod-form.ts'
import { paths } from '../../routing/paths.ts'
import type { LoginEntry } from '../../session/login-entry.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { AccountCard, TextLink } from './account-card.tsx'

const blank = { firstName: '', lastName: '', email: '', password: '', confirmPassword: '' }
const texts = {
  failed: 'Registration failed',
  noResponse: 'Registration failed. Please try again.',
  refused: 'Registration failed. Please try again.',
  atFields: true,
}

export function RegisterPage() {
  const site = useSite()
  const [, navigate] = useLocation()
  const registration = api.accounts.register.useMutation()
  const form = useZodForm(registerForm, blank)
  // Whoever owns the mailbox can set a new password, even if another person created the account.
  const isTaken = registration.error !== null && failureOf(registration.error).status === 409

  const { submit, formError, field, busy } = useAccountForm(
    form,
    texts,
    async ({ confirmPassword: _, ...account }) => {
      // The session in the response is ignored: after registering, the user has to log in.
      await registration.mutateAsync(account)
      const welcome = site ? ` Welcome to ${site.companyName}.` : ''
      sessionToast.success(`Registration successful!${welcome}`)
      const entry: LoginEntry = {
        notice: 'Registration successful! Please log in.',
        email: account.email,
      }
      navigate(paths.login, { state: entry })
    },
  )

  return (
    <AccountCard title="Create your account" subtitle="A few details, then you can apply.">
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{formError}</FormError>
        {isTaken && <TextLink href={paths.forgotPassword}>Forgot your password?</TextLink>}
        <div className="grid gap-5 sm:grid-cols-2">
          <FirstNameField {...field('firstName')} />
          <LastNameField {...field('lastName')} />
        </div>
        <EmailField {...field('email')} />
        <NewPasswordField label="Password" hint="At least 6 characters" {...field('password')} />
        <NewPasswordField label="Confirm password" {...field('confirmPassword')} />
        <Button type="submit" size="lg" busy={busy} busyLabel="Creating your account...">
          Create account
        </Button>
      </form>
      <p className="mt-6 text-center">
        Already registered? <TextLink href={paths.login}>Log in</TextLink>
      </p>
    </AccountCard>
  )
}
