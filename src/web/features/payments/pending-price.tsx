import { guestCount } from '../../../domain/bookings/people.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import { stayOf } from '../../../domain/common/stay.ts'
import { quoteStay } from '../../../domain/money/rent-quote.ts'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { classNames } from '../../ui/class-names.ts'
import { EstimateLine } from '../stays/estimate-line.tsx'
import { useStayQuote } from '../stays/use-stay-quote.ts'
import { PriceSkeleton, type StayPriceProps } from './stay-price.tsx'

/** The price by today's rates, and the deposit that the owner has set, else the usual one. */
export function PendingPrice({ application, className }: StayPriceProps) {
  const stay = stayOf(application)
  const { depositAmount } = application
  const rates = api.rates.list.useQuery()
  const site = useSite()
  const { hasFailed, isLoading, listed } = useStayQuote(stay, guestCount(application))
  if (rates.isPending || isLoading) return <PriceSkeleton />
  const quote = rates.data && quoteStay(rates.data.rates, stay)
  if (!quote || hasFailed) return null
  const { depositCents, totalCents } = listed ?? {
    depositCents: site?.depositCents ?? quote.rentCents,
    totalCents: quote.totalCents,
  }
  const dueCents = depositAmount === null ? depositCents : dollarsToCents(depositAmount)
  return (
    <dl className={classNames('grid gap-0.5', className)}>
      <EstimateLine label={listed ? 'Estimated total' : 'Estimated rent'} value={formatCents(totalCents)} />
      <EstimateLine label="Security deposit" value={formatCents(dueCents)} />
    </dl>
  )
}
