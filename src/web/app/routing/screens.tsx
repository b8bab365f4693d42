import { type ComponentType, lazy, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { api } from '../../api/api.ts'
import { useSession } from '../../session/session.tsx'
import { AdminOnly, NotAdmin, SignedIn, SignedOutOnly, TenantOnly } from './guards.tsx'
import { findScreen, type Guard, needsAllStyles, type Prefetch } from './screen-table.ts'

type Props = Record<string, string>

const files = import.meta.glob<Record<string, ComponentType<Props>>>(
  './{account,install,tenant,guest,admin}/**/*-page.tsx',
  { base: '../../pages' },
)
const NotFound = lazy(() => import('../../routing/not-found.tsx').then(m => ({ default: m.NotFound })))

async function loadPage(page: string): Promise<{ default: ComponentType<Props> }> {
  const [exported] = await Promise.all([
    files[`./${page}-page.tsx`]?.(),
    needsAllStyles(page) && import('./all-styles.css'),
  ])
  const [, Page] = Object.entries(exported ?? {}).find(([name]) => name.endsWith('Page')) ?? []
  if (!Page) throw new Error(`src/web/pages/${page}-page.tsx exports no page`)
  return { default: Page }
}

const guards: Record<Guard, ComponentType<{ children: ReactNode; notice?: string | undefined }>> = {
  signedOut: SignedOutOnly,
  signedIn: SignedIn,
  tenant: TenantOnly,
  admin: AdminOnly,
  adminLogin: NotAdmin,
}

/** One component for each page, also if several paths show it. */
const pages = new Map<string, ComponentType<Props>>()

/** Every screen except the public pages. */
export function Screens() {
  const [path] = useLocation()
  const screen = findScreen(path)
  usePrefetch(screen?.prefetch)
  if (!screen?.page) return <NotFound />
  const { guard, notice, page, props } = screen
  const Page = pages.get(page) ?? lazy(() => loadPage(page))
  pages.set(page, Page)
  const Guard = guard && guards[guard]
  return Guard ? (
    <Guard notice={notice}>
      <Page {...props} />
    </Guard>
  ) : (
    <Page {...props} />
  )
}

/** Loads the screen's data while the session is being checked. */
function usePrefetch(prefetch: Prefetch | undefined): void {
  const { status } = useSession()
  const utils = api.useUtils()
  const isLoading = status === 'loading'
  useEffect(() => {
    if (isLoading) prefetch?.(utils)
  }, [isLoading, prefetch, utils])
}
