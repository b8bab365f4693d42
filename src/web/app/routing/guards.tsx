import type { ReactNode } from 'react'
import { paths } from '../../routing/paths.ts'
import { RedirectTo } from '../../routing/redirect-to.tsx'
import { type LoginEntry, pageAfterLogin, useLoginEntry } from '../../session/login-entry.ts'
import {
  expiredMessage,
  idleMessage,
  isAdmin,
  type SessionState,
  useSession,
} from '../../session/session.tsx'
import { SessionExpired } from '../../session/session-expired.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadingPage } from './loading-page.tsx'

const noticesByReason = { idle: idleMessage, expired: expiredMessage, logout: undefined }

/** The message on the login screen about a session that ended without a logout. */
function endNotice(session: SessionState): string | undefined {
  return session.status === 'anonymous' && session.ended ? noticesByReason[session.ended] : undefined
}

/** The state that a guarded page passes to the login, so that it leads back to the page; nothing after a logout. */
function entryAfter(session: SessionState, notice?: string): LoginEntry | undefined {
  if (session.status !== 'anonymous' || session.ended === 'logout') return undefined
  const { hash, pathname, search } = window.location
  return {
    notice: endNotice(session) ?? notice,
    page: `${pathname}${search}${hash}`,
    userId: session.endedUser?.id,
  }
}

type SignedInProps = {
  children: ReactNode
  /**
   * Shown on the login screen to visitors who are not signed in. If the session expires, it replaces the screen, instead
   * of a redirect to the login.
   */
  notice?: string | undefined
}

/** For screens that require a login: visitors who are not signed in are redirected to /login. */
export function SignedIn({ children, notice }: SignedInProps) {
  const session = useSession()
  const entry = entryAfter(session, notice)
  if (session.status === 'loading') return <LoadingUser />
  if (session.status === 'authenticated') return children
  if (session.ended === 'logout')
    return <RedirectTo to={session.endedUser?.role === 'admin' ? paths.adminLogin : paths.home} />
  if (session.ended === 'expired' && notice && entry) return <SessionExpired message={notice} entry={entry} />
  return <RedirectTo to={paths.login} entry={entry} />
}

/** For the tenant's dashboard, from which an admin is redirected to the back office. */
export function TenantOnly({ children }: { children: ReactNode }) {
  return isAdmin(useSession()) ? <RedirectTo to={paths.adminDashboard} /> : <SignedIn>{children}</SignedIn>
}

/** For the admin's login, also of a signed-in tenant; an admin who is signed in needs no second login. */
export function NotAdmin({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.status === 'loading') return <LoadingUser />
  return isAdmin(session) ? <SignedOutOnly>{null}</SignedOutOnly> : children
}

/** For the admin's screens, which are wider: everybody else is redirected to /admin/login. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  const entry = entryAfter(session)
  if (session.status === 'loading') return <LoadingUser />
  if (isAdmin(session)) return <div className="contents back-office">{children}</div>
  return <RedirectTo to={paths.adminLogin} entry={entry} />
}

/** For login, registration and the password screens: signed-in users go to where a login leads. */
export function SignedOutOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  const entry = useLoginEntry()
  if (session.status === 'loading') return <LoadingUser />
  if (session.status !== 'authenticated') return children
  return <RedirectTo to={pageAfterLogin(entry, session.user)} />
}

/** Shown while the session is being checked. */
function LoadingUser() {
  const session = useSession()
  return session.status === 'loading' && session.isUnreachable ? (
    <ErrorState
      message={<h1>No connection</h1>}
      onRetry={session.retry}
      className="min-h-[50vh] justify-center"
    />
  ) : (
    <LoadingPage />
  )
}
