import { formatCents } from '../../../domain/common/money.ts'
import { EstimateLine, EstimateTotal } from '../stays/estimate-line.tsx'

type PriceLinesProps = {
  lines: readonly { label: string; amountCents: number }[] | null
  totalCents: number | null
  depositCents: number | null
}

/** What an offer costs. */
export const PriceLines = ({ depositCents, lines, totalCents }: PriceLinesProps) => (
  <dl className="grid max-w-2xl gap-2">
    {/* A single amount is its own total. */}
    {lines?.length !== 1 &&
      lines?.map(({ amountCents, label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be identical
        <EstimateLine key={index} label={label} value={formatCents(amountCents)} />
      ))}
    <EstimateTotal
      label={lines?.length === 1 ? (lines[0]?.label ?? '') : 'Total'}
      value={formatCents(totalCents ?? 0)}
    />
    <EstimateLine label="Plus security deposit" value={formatCents(depositCents ?? 0)} />
  </dl>
)
