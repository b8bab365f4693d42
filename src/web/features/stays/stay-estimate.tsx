import type { DateRange } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { quoteStay, type RentQuote } from '../../../domain/money/rent-quote.ts'
import { api } from '../../api/api.ts'
import { useSite } from '../../api/site.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'
import { EstimateLine, estimateNote, RentLines, ShorterStay } from './estimate-line.tsx'
import { lowestPrice } from './lowest-price.ts'
import { StayCharges } from './stay-charges.tsx'
import { useStayQuote } from './use-stay-quote.ts'

type StayEstimateProps = {
  stay: DateRange | undefined
  /** Total number of guests, including applicants. */
  guests: number
}

/** What a stay would cost at today's rates, fees and taxes. */
export function StayEstimate({ stay, guests }: StayEstimateProps) {
  return (
    <Card aria-label="Estimate">
      <CardHeader title="Estimate" />
      <CardBody>
        <div aria-live="polite">
          {stay ? (
            <Estimate key={`${stay.start} ${stay.end}`} stay={stay} guests={guests} />
          ) : (
            <>
              <p className="text-muted">Choose your dates to see the price.</p>
              <PriceFrom />
            </>
          )}
        </div>
      </CardBody>
    </Card>
  )
}

/** The lowest nightly price and the deposit, shown before dates are chosen. */
function PriceFrom() {
  const rates = api.rates.list.useQuery().data?.rates
  const site = useSite()
  const price = rates && site && lowestPrice(rates, site.today, site.hasStayLength)
  return (
    price && (
      <dl className="mt-4 grid gap-2">
        <EstimateLine label="A night" value={`from ${price}`} />
        {site.depositCents !== null && (
          <EstimateLine label="Security deposit" value={formatCents(site.depositCents)} />
        )}
      </dl>
    )
  )
}

/** The price of a stay: rent from the rates, plus the server's fees and taxes. */
function Estimate({ stay, guests }: { stay: DateRange; guests: number }) {
  const rates = api.rates.list.useQuery()
  if (rates.isPending) return <p className="text-muted">Loading rates...</p>
  if (!rates.data) {
    return (
      <>
        <p>The rates could not be loaded. You can still apply.</p>
        <Button variant="secondary" size="sm" className="mt-3" onClick={() => void rates.refetch()}>
          Try Again
        </Button>
      </>
    )
  }
  const quote = quoteStay(rates.data.rates, stay)
  if (!quote) return <p>There is no rate for these dates yet. We will tell you the price after you apply.</p>
  return <QuoteLines stay={stay} guests={guests} quote={quote} />
}

function QuoteLines({ stay, guests, quote }: { stay: DateRange; guests: number; quote: RentQuote }) {
  const quoted = useStayQuote(stay, guests)
  const site = useSite()
  return (
    <>
      <p className="font-semibold text-navy">{formatShortStay(stay)}</p>
      <p className="text-muted">
        {plural(quote.nights, 'night')}, {quote.period}
      </p>
      <div className="mt-4 grid gap-4">
        {!quoted.listed && <RentLines quote={quote} depositCents={site?.depositCents} />}
        {quoted.hasCharges && <StayCharges quoted={quoted} guests={guests} />}
      </div>
      {!quote.meetsMinStay && site?.hasStayLength === false && <ShorterStay />}
      <p className="mt-4 text-[0.9375rem] leading-snug text-muted">{estimateNote}</p>
    </>
  )
}
