import { lazy, Suspense } from 'react'
import type { AvailabilityEntry } from '../../../domain/bookings/availability.ts'
import { addDays, type CalendarDate, datesInRange } from '../../../domain/common/dates.ts'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { Button } from '../../ui/button.tsx'
import { HydrationBoundary } from '../../ui/hydration-boundary.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { renderedNearViewport } from './rendered-near-viewport.ts'
import { Section } from './section.tsx'
import type { StayPlannerProps } from './stay-planner.tsx'

/** The number of days in the sample, starting today. */
export const sampleDays = 90

/**
 * Made-up availability for when the live availability cannot be loaded. It looks random, but is the same on every call,
 * so that the server's HTML matches the browser's.
 */
export function sampleAvailability(today: CalendarDate): AvailabilityEntry[] {
  return datesInRange({ start: today, end: addDays(today, sampleDays) }).map(date => {
    const isAvailable = noise(date.slice(0, 7) + Math.floor(Number(date.slice(8)) / 4)) > 0.35
    return { date, isAvailable, reason: isAvailable ? 'sample' : 'sample, not a real booking' }
  })
}

/** A number from 0 to 1 derived from a text (FNV-1a). */
function noise(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 13)) >>> 0) / 0xffffffff
}

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
    <Section id="availability" eyebrow="Availability" {...content} className="relative z-10 bg-white">
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
