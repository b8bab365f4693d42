import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useScreenPart } from '../../../ui/screen-parts.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatCard } from '../../../ui/stat-card.tsx'
import { statusHref } from './list-query.ts'
import { pollIntervalMs } from './paged-list.tsx'

/**
 * Four figures that link to the data behind them. On a phone three are hidden, because the status tabs below show the
 * same.
 */
export function StatCards() {
  const counts = api.applications.adminCounts.useQuery(undefined, { refetchInterval: pollIntervalMs })
  const { total, pending, approved } = counts.data?.counts ?? {}
  const count = (value: number | undefined) => value ?? (counts.isError ? '–' : loading)
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <CardLink href={statusHref()} className="max-sm:hidden">
        <StatCard label="Total applications" value={count(total)} />
      </CardLink>
      <CardLink href={statusHref('pending')} className="max-sm:hidden">
        <StatCard
          label="Pending"
          value={count(pending)}
          hint={pending !== undefined && pending > 0 && 'waiting for your answer'}
        />
      </CardLink>
      <CardLink href={statusHref('approved')} className="max-sm:hidden">
        <StatCard label="Approved" value={count(approved)} />
      </CardLink>
      <RevenueCard />
    </div>
  )
}

function RevenueCard() {
  const revenue = api.payments.revenueSummary.useQuery({}, { refetchInterval: pollIntervalMs })
  const summary = revenue.data?.summary
  useScreenPart(revenue)
  if (!summary && revenue.isError) {
    return (
      <StatCard
        className="max-sm:col-span-2"
        label="Total revenue"
        value="–"
        hint={
          <span role="alert" className="text-red">
            Failed to fetch revenue data{' '}
            <button type="button" className="link" onClick={() => void revenue.refetch()}>
              Try Again
            </button>
          </span>
        }
      />
    )
  }
  return (
    <CardLink href={paths.adminRevenue} className="max-sm:col-span-2">
      <StatCard
        label="Total revenue"
        value={summary ? formatCents(summary.totalRevenue) : loading}
        hint={
          summary
            ? `${formatCents(summary.netRevenue)} net from ${plural(summary.paymentCount, 'payment')}`
            : '\u00a0'
        }
      />
    </CardLink>
  )
}

type CardLinkProps = { children: ReactNode; href: string; className: string }

const CardLink = ({ children, className, href }: CardLinkProps) => (
  <Link
    href={href}
    className={classNames('grid rounded-card [&>*]:transition-colors hover:[&>*]:border-navy', className)}
  >
    {children}
  </Link>
)

const loading = <Skeleton className="h-7 w-20" />
