import { useLocation } from 'wouter'
import { loginForm } from '../../../domain/accounts/account.ts'
import { paths } from '../../routing/paths.ts'
import { pageAfterLogin, useLoginEntry } from '../../session/login-entry.ts'
import { useSession } from '../../session/session.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { TextLink } from './account-card.tsx'
import { LoginForm } from './login-form.tsx'

const texts = {
  failed: 'Login failed. Please try again.',
  noResponse: 'Something went wrong. Please try again.',
}

export function LoginPage() {
  const { begin } = useSession()
  const [, navigate] = useLocation()
  const entry = useLoginEntry()
  return (
    <LoginForm
      title="Welcome back"
      subtitle="Log in to follow your application, lease and payments."
      schema={loginForm}
      texts={texts}
      onSession={async ({ token, user }) => {
        await begin(token, user)
        sessionToast.success('Login successful!')
        navigate(pageAfterLogin(entry, user))
        return undefined
      }}
      passwordHelp={
        <div className="-mt-2 text-right">
          <TextLink href={paths.forgotPassword}>Forgot your password?</TextLink>
        </div>
      }
      footer={
        <>
          New here? <TextLink href={paths.register}>Create an account</TextLink>
        </>
      }
    />
  )
}
