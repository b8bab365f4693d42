import type { ComponentType, ReactNode } from 'react'
import { useLocation } from 'wouter'
import { AdminOnly, NotAdmin, SignedIn, SignedOutOnly, TenantOnly } from './guards.tsx'
import { pageOnDemand } from './page-on-demand.tsx'
import { findScreen, type Guard, needsAllStyles } from './screen-table.ts'

type Props = Record<string, string>

const files = import.meta.glob<Record<string, ComponentType<Props>>>(
  '../../pages/{account,tenant,admin}/*-page.tsx',
)
const NotFound = pageOnDemand(() => import('./not-found.tsx').then(m => m.NotFound))

async function loadPage(page: string): Promise<ComponentType<Props>> {
  const [exported] = await Promise.all([
    files[`../../pages/${page}.tsx`]?.(),
    needsAllStyles(page) && import('./all-styles.css'),
  ])
  const [, Page] = Object.entries(exported ?? {}).find(([name]) => name.endsWith('Page')) ?? []
  if (!Page) throw new Error(`src/web/pages/${page}.tsx exports no page`)
  return Page
}

const guards: Record<Guard, ComponentType<{ children: ReactNode; notice?: string | undefined }>> = {
  signedOut: SignedOutOnly,
  signedIn: SignedIn,
  tenant: TenantOnly,
  admin: AdminOnly,
  adminLogin: NotAdmin,
}

type Page = ReturnType<typeof pageOnDemand<Props>>
/** One component for each page, also if several paths show it. */
const pages = new Map<string, Page>()

/** Every screen except the public pages. */
export function Screens() {
  const [path] = useLocation()
  const screen = findScreen(path)
  if (!screen?.page) return <NotFound />
  const { guard, notice, page, prefetch, props } = screen
  const Page = pages.get(page) ?? pageOnDemand(() => loadPage(page), prefetch)
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
