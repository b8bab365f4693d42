import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { paths, type SiteTab } from '../../routing/paths.ts'
import { Page } from '../../ui/page.tsx'
import { Spinner } from '../../ui/spinner.tsx'

const tab = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

const tabs = [
  {
    name: undefined,
    label: 'Content',
    Content: tab(() => import('./site/content-tab.tsx').then(m => m.ContentTab)),
  },
  {
    name: 'pictures',
    label: 'Pictures',
    Content: tab(() => import('./site/pictures-tab.tsx').then(m => m.PicturesTab)),
  },
  {
    name: 'lease',
    label: 'Lease wording',
    Content: tab(() => import('./site/lease-tab.tsx').then(m => m.LeaseTab)),
  },
  {
    name: 'mails',
    label: 'Mail wording',
    Content: tab(() => import('./site/mails-tab.tsx').then(m => m.MailsTab)),
  },
  {
    name: 'versions',
    label: 'Versions',
    Content: tab(() => import('./site/versions-tab.tsx').then(m => m.VersionsTab)),
  },
] as const satisfies readonly { name: SiteTab | undefined; label: string; Content: ComponentType }[]

/** Edits the texts and pictures of the public pages, and the wording of leases and e-mails. */
export function SitePage({ tab: shown }: { tab: SiteTab | undefined }) {
  const nav = useRef<HTMLElement>(null)
  // Narrow windows do not have room for all tabs.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>(
      `[href="${shown ? paths.adminSiteTab(shown) : paths.adminSite}"]`,
    )
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.offsetLeft - 48
  }, [shown])
  const Content = tabs.find(({ name }) => name === shown)?.Content
  return (
    <Page title="Site" subtitle="The words and pictures of your public pages">
      <nav aria-label="Site" ref={nav} className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map(({ label, name }) => (
          <Link
            key={label}
            href={name === undefined ? paths.adminSite : paths.adminSiteTab(name)}
            aria-current={name === shown ? 'page' : undefined}
            className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-4 font-semibold whitespace-nowrap text-muted transition-colors hover:text-navy focus-visible:-outline-offset-2 aria-[current=page]:border-navy aria-[current=page]:text-navy"
          >
            {label}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<Spinner label="Loading site..." />}>{Content && <Content />}</Suspense>
    </Page>
  )
}
