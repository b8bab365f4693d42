import { useState } from 'react'
import { useLocation } from 'wouter'
import { loginForm } from '../../../domain/account.ts'
import { failureText } from '../../api/api.ts'
import { useZodForm } from '../../forms/zod-form.ts'
import { useNotice } from '../../routing/notice.ts'
import { paths } from '../../routing/paths.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { Notice } from '../../ui/notice.tsx'
import { sessionToast } from '../../ui/toasts.tsx'
import { AccountCard } from './account-card.tsx'
import { CredentialFields } from './account-fields.tsx'
import { TextLink } from './text-link.tsx'

export function LoginPage() {
  const { login } = useSession()
  const [, navigate] = useLocation()
  const [error, setError] = useState<string>()
  const notice = useNotice()
  const form = useZodForm(loginForm, { email: '', password: '' })

  const submit = form.handleSubmit(async credentials => {
    setError(undefined)
    try {
      await login(credentials)
      sessionToast.success('Login successful!')
      navigate(paths.dashboard)
    } catch (cause) {
      setError(
        failureText(cause, {
          failed: 'Login failed. Please try again.',
          threw: 'Something went wrong. Please try again.',
        }),
      )
    }
  })

  return (
    <AccountCard title="Welcome back" subtitle="Sign in to follow your application, lease and payments.">
      {notice && !error && (
        <Notice className="mb-5" role="status">
          {notice}
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{error}</FormError>
        <CredentialFields form={form} />
        <div className="-mt-2 text-right">
          <TextLink href={paths.forgotPassword}>Forgot your password?</TextLink>
        </div>
        <Button type="submit" size="lg" busy={form.formState.isSubmitting} busyLabel="Signing in...">
          Sign In
        </Button>
      </form>
      <p className="mt-6 text-center">
        New here? <TextLink href={paths.register}>Create an account</TextLink>
      </p>
    </AccountCard>
  )
}
