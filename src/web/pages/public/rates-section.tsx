import { useState } from 'react'
import { Link } from 'wouter'
import type { HomeView } from '../../../domain/content/content-views.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type RateRow, RatesTable } from './rates-table.tsx'
import { Section } from './section.tsx'

/** The number of periods that are shown before 'View More Periods'. */
const firstPeriods = 5

type RatesSectionProps = {
  content: HomeView['rates']
  rates: readonly RateRow[] | 'failed' | undefined
  /** Whether shorter stays than those of the rates are refused. */
  hasStayLength?: boolean | undefined
}

export function RatesSection({ content, hasStayLength, rates }: RatesSectionProps) {
  const hasNone = rates?.length === 0
  return (
    <Section id="rates" eyebrow="Rates" {...content} intro={hasNone ? undefined : content.intro}>
      {rates === undefined ? (
        <RatesSkeleton />
      ) : rates === 'failed' ? (
        <>
          <Notice tone="warning" className="mb-5">
            Sample rates: live rates could not be loaded.
          </Notice>
          <Rates rates={fallbackRates} />
        </>
      ) : hasNone ? (
        <>
          <Notice
            title="No rates available at this time."
            action={
              <Button asChild variant="secondary" size="sm">
                <Link href={paths.contact}>Ask for a price</Link>
              </Button>
            }
          >
            Write to us or apply, and we will tell you the price.
          </Notice>
          {/* The owner's introduction is about prices, which are not shown. */}
          <p hidden>{content.intro}</p>
        </>
      ) : (
        <Rates rates={hasStayLength ? rates.map(withoutShorter) : rates} />
      )}
    </Section>
  )
}

/** A rate for 28 nights or more without the prices that nobody gets. */
const withoutShorter = (rate: RateRow): RateRow =>
  rate.minStay < 28 ? rate : { ...rate, nightly: null, weekendNight: null, weekly: null }

function Rates({ rates }: { rates: readonly RateRow[] }) {
  const [all, setAll] = useState(false)
  const rest = rates.slice(firstPeriods)
  return (
    <>
      <div className={tableFrame}>
        <RatesTable rates={all ? rates : rates.slice(0, firstPeriods)} />
      </div>
      {rest.length > 0 && !all && (
        <>
          <noscript>
            <div className={`${tableFrame} mt-5`}>
              <RatesTable rates={rest} />
            </div>
          </noscript>
          <Button variant="secondary" onClick={() => setAll(true)} className="mt-6 noscript:hidden">
            View More Periods
          </Button>
        </>
      )}
    </>
  )
}

const tableFrame = 'sm:overflow-hidden sm:rounded-card sm:border sm:border-line sm:bg-white sm:shadow-card'

function RatesSkeleton() {
  return (
    <div role="status" className={`${tableFrame} space-y-3 sm:p-4`}>
      <span className="sr-only">Loading rates...</span>
      {[1, 2, 3, 4, 5].map(row => (
        <Skeleton key={row} className="h-46 w-full sm:h-18" />
      ))}
    </div>
  )
}

const none = {
  nightly: null,
  weekendNight: null,
  weekly: null,
  monthly: null,
  startDate: null,
  endDate: null,
}

/** Shown if the live rates could not be loaded; in US dollars. */
const fallbackRates: RateRow[] = [
  { ...none, id: 'off-season', period: 'Off Season (Sep-May)', nightly: 150, minStay: 3 },
  { ...none, id: 'peak-season', period: 'Peak Season (Jun-Aug)', nightly: 200, minStay: 7 },
  { ...none, id: 'holidays', period: 'Holiday Weekends', nightly: 250, minStay: 3 },
  { ...none, id: 'monthly', period: 'Monthly', monthly: 3500, minStay: 30 },
  { ...none, id: 'weekly', period: 'Weekly', weekly: 1200, minStay: 7 },
]
