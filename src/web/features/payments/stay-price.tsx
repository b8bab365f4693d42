import { guestCount } from '../../../domain/bookings/people.ts'
import type { DateRange } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import { stayOf } from '../../../domain/common/stay.ts'
import { quoteStay } from '../../../domain/money/rent-quote.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EstimateLine } from '../stays/estimate-line.tsx'
import { useStayQuote } from '../stays/use-stay-quote.ts'

type StayPriceProps = {
  application: Outputs['applications']['get']['application']
  className?: string
}

/** What an application in review would cost, as its form said; nothing for any other, or without a rate. */
export function StayPrice({ application, className }: StayPriceProps) {
  if (application.status !== 'pending' || application.rentalAmount !== null) return null
  const { depositAmount } = application
  return (
    <Price
      stay={stayOf(application)}
      guests={guestCount(application)}
      setDepositCents={depositAmount === null ? undefined : dollarsToCents(depositAmount)}
      className={className}
    />
  )
}

type PriceProps = {
  stay: DateRange
  guests: number
  /** What the owner has set for this application. */
  setDepositCents: number | undefined
  className: string | undefined
}

function Price({ className, guests, setDepositCents, stay }: PriceProps) {
  const rates = api.rates.list.useQuery()
  const site = useSite()
  const { hasFailed, isLoading, listed } = useStayQuote(stay, guests)
  if (rates.isPending || isLoading) return <Skeleton className="h-12 w-60 max-w-full" />
  const quote = rates.data && quoteStay(rates.data.rates, stay)
  if (!quote || hasFailed) return null
  const { depositCents, totalCents } = listed ?? {
    depositCents: site?.depositCents ?? quote.rentCents,
    totalCents: quote.totalCents,
  }
  return (
    <dl className={classNames('grid gap-0.5', className)}>
      <EstimateLine label={listed ? 'Estimated total' : 'Estimated rent'} value={formatCents(totalCents)} />
      <EstimateLine label="Security deposit" value={formatCents(setDepositCents ?? depositCents)} />
    </dl>
  )
}
