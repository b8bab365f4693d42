import { useState } from 'react'
import { useLocation } from 'wouter'
import { adminLoginForm } from '../../../domain/account.ts'
import { failureText } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
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

export function AdminLoginPage() {
  const { loginAsAdmin } = useSession()
  const site = useSite()
  const notice = useNotice()
  const [, navigate] = useLocation()
  const [error, setError] = useState<string>()
  const form = useZodForm(adminLoginForm, { email: '', password: '' })

  const submit = form.handleSubmit(async credentials => {
    setError(undefined)
    try {
      const user = await loginAsAdmin(credentials)
      if (!user) return setError('Access denied. Admin credentials required.')
      sessionToast.success('Admin login successful!')
      navigate(paths.adminDashboard)
    } catch (cause) {
      setError(failureText(cause, { failed: 'Login failed', threw: 'Login failed. Please try again.' }))
    }
  })

  return (
    <AccountCard title="Admin Portal" subtitle="Sign in to manage the condo.">
      {notice && !error && (
        <Notice className="mb-5" role="status">
          {notice}
        </Notice>
      )}
      {site?.hasAdmin === false && (
        <Notice tone="warning" className="mb-5" title="There is no administrator yet">
          Make one on the server with <code>npm run cli -- admin create</code>.
        </Notice>
      )}
      <form noValidate onSubmit={submit} className="grid gap-5">
        <FormError>{error}</FormError>
        <CredentialFields form={form} />
        <Button type="submit" size="lg" busy={form.formState.isSubmitting} busyLabel="Signing in...">
          Sign In
        </Button>
      </form>
      <p className="mt-6 text-center">
        Looking for your booking? <TextLink href={paths.login}>Tenant login</TextLink>
      </p>
    </AccountCard>
  )
}
