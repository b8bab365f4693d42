import { lazy, Suspense } from 'react'
import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import type { CalendarDate } from '../../../domain/common/dates.ts'
import { addDays } from '../../../domain/common/dates.ts'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { Button } from '../../ui/button.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { renderedNearViewport } from './rendered-near-viewport.ts'
import { sampleAvailability, sampleDays } from './sample-availability.ts'
import { Section } from './section.tsx'
import type { StayPlannerProps } from './stay-planner.tsx'

const StayPlanner = lazy(async () => {
  await renderedNearViewport('availability')
  const { StayPlanner } = await import('./stay-planner.tsx')
  return { default: StayPlanner }
})

type AvailabilitySectionProps = Pick<StayPlannerProps, 'month' | 'onMonthChange' | 'rates' | 'applyPath'> & {
  today: CalendarDate | undefined
  availability: { entries: readonly AvailabilityEntry[]; knownUntil: CalendarDate } | 'failed' | undefined
  onRetry: () => void
  content: HomeView['availability']
}

export function AvailabilitySection({
  today,
  availability,
  onRetry,
  content,
  ...planner
}: AvailabilitySectionProps) {
  return (
    <Section id="availability" eyebrow="Availability" {...content} className="bg-white">
      {availability === 'failed' && (
        <Notice
          tone="warning"
          title="This is a sample calendar"
          className="mb-6"
          action={
            <Button variant="secondary" size="sm" onClick={onRetry}>
              Try Again
            </Button>
          }
        >
          The live availability could not be loaded. The days below are only an example.
        </Notice>
      )}
      {today === undefined || availability === undefined ? (
        <CalendarSkeleton />
      ) : (
        <Suspense fallback={<CalendarSkeleton />}>
          <HydrationBoundary>
            <StayPlanner
              {...planner}
              today={today}
              isSample={availability === 'failed'}
              {...(availability === 'failed'
                ? { entries: sampleAvailability(today), knownUntil: addDays(today, sampleDays - 1) }
                : availability)}
            />
          </HydrationBoundary>
        </Suspense>
      )}
    </Section>
  )
}

/** As tall as the calendar that replaces it. */
function CalendarSkeleton() {
  return (
    <div role="status" className="@container">
      <span className="sr-only">Loading availability...</span>
      <Skeleton className="mb-3 h-6 w-72 max-w-full @min-[40rem]:hidden" />
      <div className="mb-4 flex justify-between">
        <Skeleton className="h-9 w-28" />
        <Skeleton className="h-9 w-24" />
      </div>
      <div className="grid gap-x-8 gap-y-6 @min-[40rem]:grid-cols-3">
        {[1, 2, 3].map(month => (
          <Skeleton key={month} className="h-[19.75rem] w-full" />
        ))}
      </div>
      <div className="h-28 @min-[32rem]:h-19" />
    </div>
  )
}
