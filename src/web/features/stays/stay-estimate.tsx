import type { DateRange } from '../../../domain/common/dates.ts'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { Estimate } from './estimate.tsx'

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
            <Estimate key={`${stay.start} ${stay.end}`} stay={stay} guests={guests} />
          ) : (
            <p className="text-muted">Choose your dates to see what your stay would cost.</p>
          )}
        </div>
      </CardBody>
    </Card>
  )
}
