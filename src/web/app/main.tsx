import { type ComponentProps, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { isPublicPath, publicPages } from './routing/public-pages.ts'
import { Screens } from './routing/routes.tsx'
import type { PageData } from './ssr/page-data.ts'

// Zod would test whether eval works, and the site's policy would report it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
void start()

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (!root) throw new Error('the document has no #root')
  const rendered = document.getElementById('page-data')?.textContent
  const path = window.location.pathname
  if (!rendered || !isPublicPath(path)) {
    if (!isPublicPath(path)) await Screens.load().catch(() => undefined)
    return createRoot(root).render(<BrowserApp />)
  }
  const page: PageData = JSON.parse(rendered)
  // With the page's code loaded, React hydrates it in one go; it drops server markup that changes while it waits.
  await publicPages[path]().catch(() => undefined)
  // A link may be pressed between two steps of hydration: the next one must still match what the server rendered.
  hydrateRoot(root, <BrowserApp served={{ ssrPath: path, page, pageReadAt: readAt() }} />)
}

function BrowserApp({ served }: { served?: ComponentProps<typeof App> }) {
  return (
    <StrictMode>
      <App {...served} />
    </StrictMode>
  )
}

/** A fresh document is as new as its answer; going back, the browser may show an old one. */
function readAt(): number {
  const [visit] = performance.getEntriesByType('navigation')
  return visit instanceof PerformanceNavigationTiming && visit.type === 'back_forward' ? 0 : Date.now()
}
