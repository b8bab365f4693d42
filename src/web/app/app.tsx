import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Router, useLocation } from 'wouter'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import { createQueryClient } from '../api/query-client.ts'
import { useSession } from '../session/session.tsx'
import { createExpirySignal, SessionProvider } from '../session/session-provider.tsx'
import { Routes } from './routing/routes.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { Shell } from './shell/shell.tsx'
import { type PageData, type SiteData, seedQueries } from './ssr/page-data.ts'

const ToastRegion = lazy(() => import('../ui/toasts.tsx').then(m => ({ default: m.ToastRegion })))

type AppProps = {
  /** The path that the server rendered; in the browser it applies only during hydration. */
  ssrPath?: string
  /** The page's data from the server, and the time it was read, in ms. */
  page?: SiteData & Partial<PageData>
  pageReadAt?: number
}

export function App({ ssrPath, ...page }: AppProps) {
  const [previewLinks] = useState(() => linksOfPreview(page.page?.preview))
  return (
    <Router ssrPath={ssrPath} {...previewLinks}>
      <Providers {...page} isSessionUnknown={ssrPath !== undefined && !isPublicPath(ssrPath)}>
        <Shell isPreview={previewLinks !== undefined}>
          <Routes />
        </Shell>
        <ToastsWhereNeeded />
      </Providers>
    </Router>
  )
}

/** In a preview every link loads a new document. Public pages keep the preview token, other links do not. */
function linksOfPreview(token: string | undefined) {
  if (token === undefined) return undefined
  const hrefs = (path: string) => (isPublicPath(path) ? `${path}?preview=${encodeURIComponent(token)}` : path)
  return { hrefs, aroundNav: (_navigate: unknown, to: string) => window.location.assign(hrefs(to)) }
}

type ProvidersProps = Omit<AppProps, 'ssrPath'> & {
  children: ReactNode
  /** True on the server, which has no session: it renders the screen in its loading state. */
  isSessionUnknown: boolean
}

function Providers({ children, page, pageReadAt, isSessionUnknown }: ProvidersProps) {
  const [expiry] = useState(createExpirySignal)
  const [queries] = useState(() => {
    const created = createQueryClient(expiry.raise)
    if (page) seedQueries(created, page, pageReadAt)
    return created
  })
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider expirySignal={expiry} isUnknown={isSessionUnknown}>
        {children}
      </SessionProvider>
    </QueryClientProvider>
  )
}

/** Public pages show no toasts, so visitors do not load their code. */
function ToastsWhereNeeded() {
  const { status } = useSession()
  const [path] = useLocation()
  const [needed, setNeeded] = useState(false)
  if (!needed && (status === 'authenticated' || !isPublicPath(path))) setNeeded(true)
  return (
    needed && (
      <ErrorBoundary fallback={null}>
        <Suspense>
          <ToastRegion />
        </Suspense>
      </ErrorBoundary>
    )
  )
}
