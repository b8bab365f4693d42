import type { ReactNode } from 'react'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { depositsLeft, type RevenuePart, revenueBreakdown } from '../../../../domain/money/revenue.ts'
import type { Outputs } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']

/**
 * Amount and share of each payment type, largest first. Deposits are listed separately, because they are not income.
 */
export function RevenueByType({
  revenueByType,
  period,
}: Pick<RevenueSummary, 'revenueByType'> & { period: string }) {
  const { received, returned } = revenueBreakdown(revenueByType)
  const isDeposit = ({ type }: RevenuePart) => type === 'deposit' || type === 'deposit_return'
  const [deposits, income, refunds] = [
    [...received, ...returned].filter(isDeposit),
    received.filter(part => !isDeposit(part)),
    returned.filter(part => !isDeposit(part)),
  ]
  return (
    <Card aria-label="Revenue by Type">
      <CardHeader title="Revenue by Type" subtitle={period} />
      <CardBody className="grid gap-5">
        {received.length + returned.length === 0 && <p className="text-muted">No revenue in this period.</p>}
        {income.length > 0 && <Parts parts={income} />}
        <Apart
          title="Deposits"
          hint="With card fees. Total Revenue counts deposits received, less those returned."
          parts={deposits}
        >
          <p className="mt-3 flex justify-between gap-4 border-t border-line pt-2.5 font-semibold text-navy">
            <span>Received less returned</span>
            <span className="tabular-nums">{formatCents(depositsLeft(revenueByType))}</span>
          </p>
        </Apart>
        <Apart title="Money given back" parts={refunds} />
      </CardBody>
    </Card>
  )
}

type ApartProps = { title: string; hint?: string; parts: readonly RevenuePart[]; children?: ReactNode }

function Apart({ children, hint, parts, title }: ApartProps) {
  if (parts.length === 0) return null
  return (
    <section aria-label={title} className="not-first:border-t not-first:border-line not-first:pt-4">
      <h3 className="font-semibold text-navy">{title}</h3>
      {hint && <p className="text-sm text-muted">{hint}</p>}
      <div className="mt-2.5">
        <Parts parts={parts} />
      </div>
      {children}
    </section>
  )
}

function Parts({ parts }: { parts: readonly RevenuePart[] }) {
  return (
    <ul className="grid gap-4">
      {parts.map(({ type, label, amount, count, share }) => (
        <li key={type}>
          <div className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 text-navy">
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
