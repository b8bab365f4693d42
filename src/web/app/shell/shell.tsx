import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useLocation } from 'wouter'
import { paths } from '../../routing/paths.ts'
import { expiredMessage, type SessionState, useSession } from '../../session/session.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { partOnDemand } from '../../ui/on-demand.tsx'
import { ScreenParts } from '../../ui/screen-parts.tsx'
import { SkipLink } from '../../ui/skip-link.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { isPublicPath } from '../routing/public-pages.ts'
import { useScreenChange } from '../routing/screen-change.ts'
import { CrashScreen } from './crash-screen.tsx'
import { DemoBanner } from './demo-banner.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { AdminLoginHeader, Bar, PublicHeader } from './header.tsx'

const SignedIn = partOnDemand(() => import('./signed-in.tsx').then(m => m.SignedInParts))

/** The frame of every screen: header, footer, idle timer. */
export function Shell({ children, isPreview }: { children: ReactNode; isPreview: boolean }) {
  const [path] = useLocation()
  const session = useSession()
  useScreenChange(path)
  useExpiryToast(session, path)
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <HydrationBoundary>
        <Header path={path} />
      </HydrationBoundary>
      {/* At least as high as the window below the header, so that the footer does not move while a screen loads. */}
      <main
        id="main"
        tabIndex={-1}
        className="flex min-h-[calc(100svh-4rem)] grow flex-col focus:outline-none"
      >
        {isPreview && <PreviewBanner />}
        <DemoBanner path={path} />
        <ErrorBoundary resetKey={path} fallback={<CrashScreen />}>
          <ScreenParts>{children}</ScreenParts>
        </ErrorBoundary>
      </main>
      <Footer path={path} />
      {session.status === 'authenticated' && (
        <ErrorBoundary fallback={null}>
          <SignedIn />
        </ErrorBoundary>
      )}
    </div>
  )
}

function PreviewBanner() {
  return (
    <p
      role="note"
      className="border-b border-yellow/30 bg-yellow-tint px-4 py-2 text-center text-[0.9375rem] print:hidden"
    >
      Preview of the draft. Visitors do not see this.
    </p>
  )
}

/** When the session expires on a public page, which stays, shows a toast. */
function useExpiryToast(session: SessionState, path: string) {
  const isExpired = session.status === 'anonymous' && session.ended === 'expired'
  const tell = useEffectEvent(() => {
    if (isPublicPath(path)) sessionToast.error(expiredMessage)
  })
  useEffect(() => {
    if (isExpired) tell()
  }, [isExpired])
}

const SignedInHeader = partOnDemand(() => import('./member-header.tsx').then(m => m.SignedInHeader))
const AdminHeader = partOnDemand(() => import('./member-header.tsx').then(m => m.AdminHeader))

/**
 * The header of a signed-in user is loaded on demand. Until then, or if loading fails, the header has no links: no
 * click is lost, and the page stays.
 */
function Header({ path }: { path: string }) {
  const session = useSession()
  const inAdmin = path.startsWith('/admin')
  const empty = (
    <Bar
      home={paths.home}
      links={null}
      from={inAdmin ? 'xl' : 'lg'}
      width={inAdmin ? 'max-w-admin' : undefined}
    />
  )
  if (session.status === 'loading' && !isPublicPath(path)) return empty
  const user = session.status === 'authenticated' ? session.user : undefined
  if (!user || (inAdmin && user.role !== 'admin')) return inAdmin ? <AdminLoginHeader /> : <PublicHeader />
  return (
    <ErrorBoundary resetKey={path} fallback={empty}>
      {inAdmin ? (
        <AdminHeader user={user} fallback={empty} />
      ) : (
        <SignedInHeader user={user} fallback={empty} />
      )}
    </ErrorBoundary>
  )
}
