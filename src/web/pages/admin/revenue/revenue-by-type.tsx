import { paymentTypeLabels, paymentTypes } from '../../../../domain/ledger.ts'
import { formatCents } from '../../../../domain/money.ts'
import type { Outputs } from '../../../app/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']

/** Each type with its amount and its share of the total, the largest first (REV-10). */
export function RevenueByType({ revenueByType, summary }: RevenueSummary) {
  const rows = paymentTypes
    .flatMap(type => {
      const found = revenueByType[type]
      return found ? [{ type, ...found, share: shareOf(found.amount, summary.totalRevenue) }] : []
    })
    .sort((a, b) => b.amount - a.amount)
  return (
    <Card aria-label="Revenue by Type">
      <CardHeader title="Revenue by Type" />
      <CardBody>
        {rows.length === 0 && <p className="text-muted">No revenue in this period.</p>}
        <ul className="grid gap-4">
          {rows.map(({ type, amount, count, share }) => (
            <li key={type}>
              <div className="flex items-baseline justify-between gap-4">
                <span className="min-w-0 font-semibold text-navy">
                  {paymentTypeLabels[type]}{' '}
                  <span className="text-sm font-normal text-muted">
                    {count} {count === 1 ? 'entry' : 'entries'}
                  </span>
                </span>
                <span className="text-right tabular-nums">
                  {formatCents(amount)}{' '}
                  <span className="inline-block min-w-13 text-[0.9375rem] text-muted">
                    {share === undefined ? '' : formatShare(share)}
                  </span>
                </span>
              </div>
              <div aria-hidden className="mt-1.5 h-2 overflow-hidden rounded-full bg-linen/60">
                <div
                  className="h-full rounded-full bg-lagoon-dark"
                  style={{ width: `${Math.min(100, Math.max(0, (share ?? 0) * 100))}%` }}
                />
              </div>
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}

/** The part of the whole, below zero for money given back; none where nothing was earned. */
function shareOf(amountCents: number, totalCents: number): number | undefined {
  return totalCents > 0 ? amountCents / totalCents : undefined
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
const formatShare = (share: number) => percent.format(share)
