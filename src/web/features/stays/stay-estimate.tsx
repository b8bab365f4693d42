import type { ReactNode } from 'react'
import { type DateRange, formatShortDate } from '../../../domain/dates.ts'
import { defaultDepositCents, formatCents } from '../../../domain/money.ts'
import { plural } from '../../../domain/plural.ts'
import { type Quote, quoteStay } from '../../../domain/quote.ts'
import { api } from '../../api/api.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../ui/card.tsx'

/** What a stay would cost by today's rates. */
export function StayEstimate({ stay, className }: { stay: DateRange | undefined; className?: string }) {
  return (
    <Card aria-label="Estimate" {...(className && { className })}>
      <CardHeader title="Estimate" />
      <CardBody>
        <div aria-live="polite">
          {stay ? (
            <Estimate stay={stay} />
          ) : (
            <p className="text-muted">Choose your dates to see what your stay would cost.</p>
          )}
        </div>
      </CardBody>
    </Card>
  )
}

function Estimate({ stay }: { stay: DateRange }) {
  const rates = api.rates.list.useQuery()
  if (rates.isPending) return <p className="text-muted">Loading rates...</p>
  if (!rates.data) {
    return (
      <>
        <p>The rates could not be loaded. You can apply all the same.</p>
        <Button variant="secondary" size="sm" className="mt-3" onClick={() => void rates.refetch()}>
          Try Again
        </Button>
      </>
    )
  }
  const quote = quoteStay(rates.data.rates, stay)
  if (!quote) return <p>There is no rate for these dates yet. We tell you the price after you apply.</p>
  return <QuoteLines stay={stay} quote={quote} />
}

function QuoteLines({ stay, quote }: { stay: DateRange; quote: Quote }) {
  return (
    <>
      <p className="font-semibold text-navy">
        {formatShortDate(stay.start)} – {formatShortDate(stay.end)}
      </p>
      <p className="text-muted">
        {plural(quote.nights, 'night')}, {quote.period}
      </p>
      <dl className="mt-4 grid gap-2">
        {quote.parts.map(part => (
          <Line key={part.label} label={part.label} value={formatCents(part.cents)} />
        ))}
        <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-3">
          <dt className="font-semibold text-navy">Estimated rent</dt>
          <dd className="text-2xl font-semibold text-navy tabular-nums">{formatCents(quote.totalCents)}</dd>
        </div>
        <Line label="Plus security deposit" value={formatCents(defaultDepositCents)} />
      </dl>
      {!quote.meetsMinStay && (
        <p className="mt-4 text-[0.9375rem] font-semibold text-yellow">
          The usual minimum stay in this period is {plural(quote.minStay, 'night')}. You can still ask for a
          shorter one.
        </p>
      )}
      <p className="mt-4 text-[0.9375rem] leading-snug text-muted">
        An estimate in US dollars, without any card fee. What counts is the amount in your lease.
      </p>
    </>
  )
}

function Line({ label, value }: { label: ReactNode; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
      <dt className="min-w-0 text-muted">{label}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}
