import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useScreenPart } from '../../../ui/screen-parts.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatCard } from '../../../ui/stat-card.tsx'
import { statusHref } from './list-query.ts'
import { pollIntervalMs } from './paged-list.tsx'

type Figures = Outputs['notices']['ownerDay']['figures']

/** What comes: who arrives next, how full the month is, and what is still to be paid (LOOK-83). */
export function ComingCards({ figures }: { figures: Figures | undefined }) {
  const month = formatMonth(useToday()).replace(/ \d+$/, '')
  if (!figures) return null
  const { arrival, nights, toReceiveCents } = figures
  const arrivalHref = arrival?.applicationId
    ? paths.adminApplication(arrival.applicationId)
    : paths.adminCalendars
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">
      <CardLink href={arrival ? arrivalHref : paths.adminAvailability} className="max-sm:col-span-2">
        <StatCard label="Next arrival" value={arrival?.day ?? 'None booked'} hint={arrival?.name} />
      </CardLink>
      <CardLink href={paths.adminAvailability}>
        <StatCard label={`Nights booked in ${month}`} value={`${nights.booked} of ${nights.all}`} />
      </CardLink>
      <CardLink href={paths.adminDue}>
        <StatCard label="To receive" value={formatCents(toReceiveCents)} />
      </CardLink>
    </div>
  )
}

/** Four figures that link to the data behind them (LOOK-97). */
export function StatCards() {
  const counts = api.applications.adminCounts.useQuery(undefined, { refetchInterval: pollIntervalMs })
  const { total, pending, approved } = counts.data?.counts ?? {}
  const count = (value: number | undefined) => value ?? (counts.isError ? '–' : loading)
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      <CardLink href={statusHref()}>
        <StatCard label="Total applications" value={count(total)} />
      </CardLink>
      <CardLink href={statusHref('pending')}>
        <StatCard
          label="Pending"
          value={count(pending)}
          hint={
            pending !== undefined &&
            pending > 0 && <span className="max-sm:hidden">waiting for your answer</span>
          }
        />
      </CardLink>
      <CardLink href={statusHref('approved')}>
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
    <CardLink href={paths.adminRevenue}>
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

type CardLinkProps = { children: ReactNode; href: string; className?: string }

const CardLink = ({ children, className, href }: CardLinkProps) => (
  <Link
    href={href}
    className={classNames(
      'grid rounded-card [&>*]:transition-colors hover:[&>*]:border-navy max-sm:[&>*]:min-h-14 max-sm:[&>*]:py-1',
      className,
    )}
  >
    {children}
  </Link>
)

const loading = <Skeleton className="h-7 w-20" />
