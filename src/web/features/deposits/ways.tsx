import { formatCents } from '../../../domain/common/money.ts'

type WaysProps = {
  /** `to` is 'to the card' or 'by check 2391'. */
  ways: readonly { to: string; amountCents: number; feeCents: number }[]
  totalCents: number
}

/** How money goes back: each way with its part of the card fee, and the sum of more than one amount. */
export function Ways({ totalCents, ways }: WaysProps) {
  const lines = ways.flatMap(({ amountCents, feeCents, to }) => {
    const amount = { label: to.charAt(0).toUpperCase() + to.slice(1), cents: amountCents }
    return feeCents > 0 ? [amount, { label: 'Card fee of this part', cents: feeCents }] : [amount]
  })
  return (
    <ul className="grid gap-1 rounded-control bg-glass-light px-4 py-3 text-navy">
      {lines.map(({ cents, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be identical
        <li key={index} className="flex justify-between gap-4">
          <span className="min-w-0 wrap-anywhere">{label}</span>
          <span className="tabular-nums">{formatCents(cents)}</span>
        </li>
      ))}
      {lines.length > 1 && (
        <li className="flex justify-between gap-4 border-t border-line-strong font-semibold">
          <span>In all</span>
          <span className="tabular-nums">{formatCents(totalCents)}</span>
        </li>
      )}
    </ul>
  )
}
