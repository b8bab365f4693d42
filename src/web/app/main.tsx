import { type ComponentProps, StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { isPublicPath } from '../../domain/content/public-pages.ts'
import { App } from './app.tsx'
import { loadScreens } from './routing/load-screens.ts'
import { publicPageLoaders } from './routing/public-pages.ts'
import type { PageData, SiteData } from './ssr/page-data.ts'

// Otherwise Zod would test whether eval works, and the browser would report a CSP violation.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
/** Rejects if the code of the server-rendered page could not be loaded; then its document stays as it is. */
export const started = start()

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no #root')
  const path = window.location.pathname
  const page = jsonIn<PageData>('page-data')
  const pageReadAt = readAt()
  if (page && isPublicPath(path)) {
    // With the page's code loaded, React hydrates it in one pass. Otherwise it discards server HTML that changes during
    // hydration.
    await publicPageLoaders[path]()
    // `ssrPath`: if a link is clicked during hydration, the rest must still match the server's HTML.
    return void hydrateRoot(root, <BrowserApp ssrPath={path} page={page} pageReadAt={pageReadAt} />)
  }
  if (!isPublicPath(path)) await loadScreens().catch(() => undefined)
  const site = jsonIn<SiteData>('site-data')
  // Replaces the server's loading message. In a transition React yields to the browser while it renders.
  startTransition(() => createRoot(root).render(<BrowserApp {...(site && { page: site, pageReadAt })} />))
}

function jsonIn<Data>(id: string): Data | undefined {
  const json = document.getElementById(id)?.textContent
  return json ? JSON.parse(json) : undefined
}

function BrowserApp(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <App {...props} />
    </StrictMode>
  )
}

/** A newly loaded document is current; after going back, the browser may show an old document. */
function readAt(): number {
  const [visit] = performance.getEntriesByType('navigation')
  return visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward' ? 0 : Date.now()
}
