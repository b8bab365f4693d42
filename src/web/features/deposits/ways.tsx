import { AmountList } from '../payments/amount-list.tsx'

type WaysProps = {
  /** `to` is 'to the card' or 'by check 2391'. */
  ways: readonly { to: string; amountCents: number; feeCents: number }[]
  totalCents: number
}

/** How money goes back: each way with its part of the card fee, and the sum if there are several. */
export function Ways({ totalCents, ways }: WaysProps) {
  const amounts = ways.flatMap(({ amountCents, feeCents, to }) => {
    const amount = { label: to.charAt(0).toUpperCase() + to.slice(1), cents: amountCents }
    return feeCents > 0 ? [amount, { label: 'Card fee, goes back too', cents: feeCents }] : [amount]
  })
  return (
    <AmountList
      className="rounded-control bg-glass-light px-4 py-3 text-navy"
      amounts={amounts}
      total={amounts.length > 1 && { label: 'In all', cents: totalCents }}
    />
  )
}
