import { formatCents } from '../../../../domain/money.ts'
import { plural } from '../../../../domain/plural.ts'
import { type RevenuePart, revenueBreakdown } from '../../../../domain/revenue-breakdown.ts'
import type { Outputs } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']

/** Each type with its amount and its share of the money received, largest first. */
export function RevenueByType({ revenueByType }: Pick<RevenueSummary, 'revenueByType'>) {
  const { received, returned } = revenueBreakdown(revenueByType)
  return (
    <Card aria-label="Revenue by Type">
      <CardHeader title="Revenue by Type" />
      <CardBody className="grid gap-5">
        {received.length + returned.length === 0 && <p className="text-muted">No revenue in this period.</p>}
        {received.length > 0 && <Parts parts={received} />}
        {returned.length > 0 && (
          <section aria-label="Money given back" className="border-t border-line pt-4">
            <h3 className="mb-2.5 text-[0.9375rem] text-muted">Money given back</h3>
            <Parts parts={returned} />
          </section>
        )}
      </CardBody>
    </Card>
  )
}

function Parts({ parts }: { parts: readonly RevenuePart[] }) {
  return (
    <ul className="grid gap-4">
      {parts.map(({ type, label, amount, count, share }) => (
        <li key={type}>
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 font-semibold text-navy">
              {label}{' '}
              <span className="text-sm font-normal text-muted">{plural(count, 'entry', 'entries')}</span>
            </span>
            <span className="text-right tabular-nums">
              {formatCents(amount)}
              {share !== undefined && (
                <>
                  {' '}
                  <span className="inline-block min-w-13 text-[0.9375rem] text-muted">
                    {percent.format(share)}
                  </span>
                </>
              )}
            </span>
          </div>
          {share !== undefined && (
            <div aria-hidden className="mt-1.5 h-2 overflow-hidden rounded-full bg-linen/60">
              <div className="h-full rounded-full bg-lagoon-dark" style={{ width: `${share * 100}%` }} />
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 })
