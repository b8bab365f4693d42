import { lazy, Suspense } from 'react'
import type { DateRange } from '../../../domain/dates.ts'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'

/** Loaded when dates have been chosen. */
const Estimate = lazy(() =>
  import('./estimate.tsx').then(
    ({ Estimate }) => ({ default: Estimate }),
    () => ({ default: () => <p>The rates could not be loaded. You can still apply.</p> }),
  ),
)

type StayEstimateProps = {
  stay: DateRange | undefined
  /** Total number of guests, including applicants. */
  guests: number
  className?: string
}

/** What a stay would cost at today's rates, fees and taxes. */
export function StayEstimate({ stay, guests, className }: StayEstimateProps) {
  return (
    <Card aria-label="Estimate" {...(className && { className })}>
      <CardHeader title="Estimate" />
      <CardBody>
        <div aria-live="polite">
          {stay ? (
            <Suspense fallback={<p className="text-muted">Loading rates...</p>}>
              <Estimate key={`${stay.start} ${stay.end}`} stay={stay} guests={guests} />
            </Suspense>
          ) : (
            <p className="text-muted">Choose your dates to see what your stay would cost.</p>
          )}
        </div>
      </CardBody>
    </Card>
  )
}
