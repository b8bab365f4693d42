import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { type ContentOf, usePageContent, useSite } from '../../api/site.ts'
import { siteQueries } from '../../api/site-queries.ts'
import { lowestPrice } from '../../features/stays/lowest-price.ts'
import { applyPath } from '../../session/apply-path.ts'
import { useSession } from '../../session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { HeroSection } from './hero-section.tsx'
import { renderedNearViewport } from './rendered-near-viewport.ts'
import { SectionTabs } from './section-tabs.tsx'

/** The server renders the whole page; the code of this part is loaded when a visitor scrolls toward it. */
const BelowTheFold = lazy(async () => {
  await renderedNearViewport('gallery')
  return { default: (await import('./below-the-fold.tsx')).BelowTheFold }
})

export function HomePage() {
  const content = usePageContent('home')
  return (
    <QueryView query={content} loading="Loading..." error="Failed to load the page">
      {home => <Home home={home} />}
    </QueryView>
  )
}

function Home({ home }: { home: ContentOf<'home'> }) {
  const rates = useQuery({ ...siteQueries.rates(), staleTime: 5 * 60_000 })
  const site = useSite()
  const price = rates.data && site && lowestPrice(rates.data.rates, site.today, site.hasStayLength)
  return (
    <>
      <HeroSection
        hero={home.hero}
        applyPath={applyPath(useSession())}
        price={price}
        isPriceLoading={rates.isPending}
      />
      <SectionTabs hasAmenities={home.amenities.groups.length > 0} />
      <div className="relative">
        <Suspense fallback={<div className="min-h-screen bg-shell" />}>
          <HydrationBoundary>
            <BelowTheFold home={home} />
          </HydrationBoundary>
        </Suspense>
        {price && (
          // The bar's frame starts when the hero's buttons have scrolled away; the calendar and the footer cover the bar.
          <div className="pointer-events-none absolute inset-x-0 top-100 bottom-0 overflow-clip sm:hidden print:hidden">
            <div className="flex h-[calc(100%+4rem)] flex-col justify-end">
              <div className="pointer-events-auto sticky bottom-0 flex items-center justify-between border-t border-line bg-white px-4 py-1.5 font-semibold text-navy">
                From {price} a night
                <Button asChild>
                  <a href="#availability">Check dates</a>
                </Button>
              </div>
            </div>
          </div>
        )}
      </div>
    </>
  )
}
