import type { ReactNode } from 'react'
import { formatCents } from '../../../domain/common/money.ts'
import type { RentQuote } from '../../../domain/money/rent-quote.ts'

/** One line of an estimate: label and amount. */
export function EstimateLine({ label, value }: { label: ReactNode; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 text-[0.9375rem]">
      <dt className="min-w-0 text-muted">{label}</dt>
      <dd className="tabular-nums">{value}</dd>
    </div>
  )
}

/** The total of an estimate. */
export function EstimateTotal({ label, value }: { label: string; value: string }) {
  return (
    <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-3">
      <dt className="font-semibold text-navy">{label}</dt>
      <dd className="text-2xl font-semibold text-navy tabular-nums">{value}</dd>
    </div>
  )
}

/** What the rent is made of, and the deposit. */
export function RentLines({
  quote,
  depositCents,
}: {
  quote: RentQuote
  depositCents: number | null | undefined
}) {
  return (
    <dl className="grid gap-2">
      {quote.parts.map(({ cents, label }) => (
        <EstimateLine key={label} label={label} value={formatCents(cents)} />
      ))}
      <EstimateTotal label="Estimated rent" value={formatCents(quote.totalCents)} />
      <EstimateLine label="Plus security deposit" value={formatCents(depositCents ?? quote.rentCents)} />
    </dl>
  )
}

export const estimateNote =
  'An estimate in US dollars, without any card fee. Your lease sets the final amount.'

/** Where a stay is shorter than its season asks for, and guests are not held to that (LOOK-57). */
export const ShorterStay = () => (
  <p className="mt-4 text-[0.9375rem] font-semibold text-yellow">
    Stays in this season are usually longer. Ask, and we will tell you whether yours is possible.
  </p>
)
