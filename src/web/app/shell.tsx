import { lazy, type ReactNode, Suspense } from 'react'
import { useLocation } from 'wouter'
import { Waiting } from '../features/served/waiting.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { CrashScreen } from './crash-screen.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { AdminHeader, PublicHeader, SignedInHeader } from './header.tsx'
import { useScreenChange } from './screen-change.ts'
import { useSession } from './session.tsx'

const SessionWatch = lazy(() => import('./session-watch.tsx').then(m => ({ default: m.SessionWatch })))

/** What stands around every screen: the bar, the footer, and the watch over the session. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  const { status } = useSession()
  useScreenChange(path)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Waiting>
        <Header path={path} />
      </Waiting>
      {/* A window high, so that the footer stands below it from the start and no screen pushes it away while it loads. */}
      <main id="main" tabIndex={-1} className="flex min-h-svh grow flex-col focus:outline-none">
        <DemoBanner path={path} />
        <ErrorBoundary resetKey={path} fallback={reset => <CrashScreen onRetry={reset} />}>
          {children}
        </ErrorBoundary>
      </main>
      <Footer />
      {status === 'authenticated' && (
        <ErrorBoundary fallback={() => null}>
          <Suspense>
            <SessionWatch />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}

function Header({ path }: { path: string }) {
  const session = useSession()
  if (path.startsWith('/admin')) return <AdminHeader />
  return session.status === 'authenticated' ? <SignedInHeader user={session.user} /> : <PublicHeader />
}
