import { lazy, Suspense } from 'react'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { HeroSection } from './hero-section.tsx'
import { nearViewport } from './near-viewport.ts'
import { OverviewSection } from './overview-section.tsx'
import { SectionTabs } from './section-tabs.tsx'

/** The server renders all of it; its code is loaded when a visitor scrolls towards it. */
const BelowTheFold = lazy(async () => {
  await nearViewport('gallery')
  const { BelowTheFold } = await import('./below-the-fold.tsx')
  return { default: BelowTheFold }
})

export function HomePage() {
  return (
    <>
      <HeroSection />
      <SectionTabs />
      <OverviewSection />
      <Suspense fallback={<div className="min-h-screen bg-shell" />}>
        <HydrationBoundary>
          <BelowTheFold />
        </HydrationBoundary>
      </Suspense>
    </>
  )
}
