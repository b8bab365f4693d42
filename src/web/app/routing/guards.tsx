import { isValidElement, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../../routing/paths.ts'
import {
  expiredMessage,
  idleMessage,
  isAdmin,
  type SessionState,
  useSession,
} from '../../session/session.tsx'
import { Spinner } from '../../ui/spinner.tsx'

type Redirect = { to: string; notice?: string }

/** Redirects; the notice is shown on the next screen. */
export function RedirectTo({ to, notice }: Redirect) {
  const [path, navigate] = useLocation()
  // Going back while the next screen is still being loaded redirects once more.
  useEffect(() => {
    if (path !== to) navigate(to, { replace: true, state: notice ? { notice } : undefined })
  }, [path, navigate, to, notice])
  return null
}

const noticesByReason = { idle: idleMessage, expired: expiredMessage, logout: undefined }

/** What the login screen says about a session that ended by itself. */
function endNotice(session: SessionState): string | undefined {
  return session.status === 'anonymous' && session.ended ? noticesByReason[session.ended] : undefined
}

type SignedInProps = {
  children: ReactNode
  /** Shown on the login screen to visitors who are not signed in. */
  notice?: string
  /** Shown instead of a redirect when the session ended while this screen was open. */
  expiredFallback?: ReactNode
}

/** For a screen of anyone signed in: others go to /login. */
export function SignedIn({ children, notice, expiredFallback }: SignedInProps) {
  const session = useSession()
  if (session.status === 'loading') return <LoadingUser screen={children} />
  if (session.status === 'authenticated') return children
  if (session.ended === 'logout')
    return <RedirectTo to={session.endedRole === 'admin' ? paths.adminLogin : paths.home} />
  if (session.ended === 'expired' && expiredFallback) return expiredFallback
  return <RedirectTo to={paths.login} notice={endNotice(session) ?? notice} />
}

/** For the admin's screens: all others go to /admin/login. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <LoadingUser screen={children} />
  if (isAdmin(session)) return children
  return <RedirectTo to={paths.adminLogin} notice={endNotice(session)} />
}

/** For login, register and the password screens: signed-in users go to their dashboard. */
export function SignedOutOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <LoadingUser screen={children} />
  if (session.status !== 'authenticated') return children
  return <RedirectTo to={isAdmin(session) ? paths.adminDashboard : paths.dashboard} />
}

/** Loads the code of the screen while the server is asked who is signed in. */
function LoadingUser({ screen }: { screen: ReactNode }) {
  const type = isValidElement(screen) ? screen.type : undefined
  useEffect(() => {
    if (isPreloadable(type)) type.preload()
  }, [type])
  return (
    <div className="grid min-h-[50vh] place-items-center">
      <Spinner label="Loading..." />
    </div>
  )
}

const isPreloadable = (type: unknown): type is { preload: () => void } =>
  typeof type === 'object' && type !== null && 'preload' in type
