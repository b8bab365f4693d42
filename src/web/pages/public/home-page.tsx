import { lazy, Suspense } from 'react'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { HeroSection } from './hero-section.tsx'
import { OverviewSection } from './overview-section.tsx'
import { SectionTabs } from './section-tabs.tsx'
import { whenNear } from './when-near.ts'

/** What lies below the first window is there to read at once; its code comes when somebody scrolls towards it. */
const HomeRest = lazy(async () => {
  await whenNear('gallery')
  const { HomeRest } = await import('./below-the-fold.tsx')
  return { default: HomeRest }
})

export function HomePage() {
  return (
    <>
      <HeroSection />
      <SectionTabs />
      <OverviewSection />
      <Suspense fallback={<div className="min-h-screen bg-shell" />}>
        <HydrationBoundary>
          <HomeRest />
        </HydrationBoundary>
      </Suspense>
    </>
  )
}
