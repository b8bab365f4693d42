import { useLocation } from 'wouter'
import { adminLoginForm } from '../../../domain/accounts/account.ts'
import { useSite } from '../../api/site.ts'
import { paths } from '../../routing/paths.ts'
import { pageAfterLogin, useLoginEntry } from '../../session/login-entry.ts'
import { useSession } from '../../session/session.tsx'
import { Notice } from '../../ui/notice.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { TextLink } from './account-card.tsx'
import { LoginForm } from './login-form.tsx'

const texts = { failed: 'Login failed', noResponse: 'Login failed. Please try again.' }

export function AdminLoginPage() {
  const { beginAsAdmin } = useSession()
  const [, navigate] = useLocation()
  const entry = useLoginEntry()
  return (
    <LoginForm
      title="Admin Portal"
      subtitle="Log in to manage the condo."
      schema={adminLoginForm}
      texts={texts}
      onSession={async session => {
        if (!(await beginAsAdmin(session))) return 'Access denied. Admin credentials required.'
        sessionToast.success('Admin login successful!')
        navigate(pageAfterLogin(entry, session.user))
        return undefined
      }}
      warning={
        useSite()?.hasAdmin === false && (
          <Notice tone="warning" className="mb-5" title="There is no administrator yet">
            Create one on the server with <code>condo admin create</code>, or in a checkout with{' '}
            <code>npm run cli -- admin create</code>.
          </Notice>
        )
      }
      footer={
        <>
          Looking for your booking? <TextLink href={paths.login}>Tenant login</TextLink>
        </>
      }
    />
  )
}
