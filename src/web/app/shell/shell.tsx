import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import { Link, useLocation } from 'wouter'
import { formatShortDate } from '../../../domain/common/dates.ts'
import { isPublicPath } from '../../../domain/content/public-pages.ts'
import { useSite } from '../../api/site.ts'
import { OpeningPage } from '../../pages/public/opening-page.tsx'
import { paths } from '../../routing/paths.ts'
import { expiredMessage, isAdmin, type SessionState, useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { ScreenParts } from '../../ui/screen-parts.tsx'
import { sessionToast } from '../../ui/toast.ts'
import { LoadingPage } from '../routing/loading-page.tsx'
import { useScreenChange } from '../routing/screen-change.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { AdminLoginHeader, Bar, PublicHeader } from './header.tsx'

/** The first Tab stop: skips the navigation. */
export function SkipLink({
  target = 'main',
  children = 'Skip to main content',
}: {
  target?: string
  children?: string
}) {
  return (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded-control bg-navy px-4 py-2.5 font-semibold text-white focus:translate-y-0"
    >
      {children}
    </a>
  )
}

const SignedIn = lazy(() => import('./signed-in.tsx').then(m => ({ default: m.SignedInParts })))

/** The frame of every screen: header, footer, idle timer. */
export function Shell({ children, isPreview }: { children: ReactNode; isPreview: boolean }) {
  const [path] = useLocation()
  const session = useSession()
  useScreenChange(path)
  useExpiryToast(session, path)
  const opening = useSite()?.opening ?? 'open'
  // The owner of a new site has nothing to navigate to before it is installed.
  const isInstalling = opening === 'never' && path === paths.install
  const isHidden = opening !== 'open' && !isPreview && (isPublicPath(path) || path === paths.register)
  if (isHidden && !isAdmin(session)) return <OpeningPage />
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <HydrationBoundary>
        {isInstalling ? <Bar home={paths.install} links={null} from="md" /> : <Header path={path} />}
      </HydrationBoundary>
      {/* At least as high as the window below the header, so that the footer does not move while a screen loads. */}
      <main
        id="main"
        tabIndex={-1}
        className="flex min-h-[calc(100svh-4rem)] grow flex-col focus:outline-none"
      >
        {isPreview && <Banner>Preview of the draft. Visitors do not see this.</Banner>}
        {isHidden && (
          <Banner>{opening === 'never' ? 'Not open yet' : 'Closed for now'}: only you see this.</Banner>
        )}
        <Suspense fallback={<LoadingPage />}>
          <DemoBanner path={path} />
          <ErrorBoundary resetKey={path} fallback={<CrashScreen />}>
            <ScreenParts>{children}</ScreenParts>
          </ErrorBoundary>
        </Suspense>
      </main>
      {!isInstalling && <Footer path={path} />}
      {session.status === 'authenticated' && (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <SignedIn />
          </Suspense>
        </ErrorBoundary>
      )}
    </div>
  )
}

function Banner({ children }: { children: ReactNode }) {
  return (
    <p
      role="note"
      className="border-b border-yellow/30 bg-yellow-tint px-4 py-2 text-center text-[0.9375rem] print:hidden"
    >
      {children}
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

const SignedInHeader = lazy(() => import('./member-header.tsx').then(m => ({ default: m.SignedInHeader })))
const AdminHeader = lazy(() => import('./member-header.tsx').then(m => ({ default: m.AdminHeader })))

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
      <Suspense fallback={empty}>
        {inAdmin ? <AdminHeader user={user} /> : <SignedInHeader user={user} />}
      </Suspense>
    </ErrorBoundary>
  )
}

/** Replaces a screen that failed to render. */
function CrashScreen() {
  return (
    <div className="flex flex-col items-center pb-12">
      <ErrorState message={<h1>Something went wrong on this page.</h1>} onRetry={reloadDocument} />
      <Button variant="ghost" asChild>
        <Link href={paths.home}>Back to the home page</Link>
      </Button>
    </div>
  )
}

/** Code that failed to load is requested again only by a new document. Without a response this screen stays. */
const reloadDocument = () =>
  fetch('', { method: 'HEAD' }).then(
    () => window.location.reload(),
    () => undefined,
  )

/**
 * In the admin's part of the demo, explains that no real money moves and links to the mailbox. If the demo clock is
 * moved, shows the date on every screen. It appears with the screen, so that it does not push existing content down.
 */
function DemoBanner({ path }: { path: string }) {
  const site = useSite()
  const session = useSession()
  const isDemo = isAdmin(session) && path.startsWith('/admin') && (site?.sandbox || site?.mailbox)
  if (!site || !(isDemo || site.clockOffsetMs)) return null
  return (
    <p
      role="note"
      className="border-b border-yellow/30 bg-yellow-tint px-4 py-2 text-center text-[0.8125rem] sm:text-[0.9375rem] print:hidden"
    >
      {site.clockOffsetMs &&
        `This demo runs on a different clock: here it is ${formatShortDate(site.today)}. `}
      {isDemo && 'This is the demo: no real money moves. '}
      {isDemo && site.mailbox && (
        <a className="whitespace-nowrap link" href="/sandbox/mailbox">
          Open the mailbox
        </a>
      )}
    </p>
  )
}
