import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { paths } from '../../../routing/paths.ts'
import { Card } from '../../../ui/card.tsx'
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
    <Card aria-label="Coming up" className="grid divide-line max-sm:divide-y sm:grid-cols-3 sm:divide-x">
      <Coming
        href={arrival ? arrivalHref : paths.adminAvailability}
        label="Next arrival"
        value={arrival ? `${arrival.day}, ${arrival.name}` : 'None booked'}
      />
      <Coming
        href={paths.adminAvailability}
        label={`Nights booked in ${month}`}
        value={`${nights.booked} of ${nights.all}`}
      />
      <Coming href={paths.adminDue} label="To receive" value={formatCents(toReceiveCents)} />
    </Card>
  )
}

const Coming = ({ href, label, value }: { href: string; label: string; value: string }) => (
  <Link
    href={href}
    className="flex min-h-11 flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5 hover:bg-canvas sm:grid sm:px-5"
  >
    <span className="text-sm text-muted">{label}</span>
    <span className="min-w-0 font-semibold wrap-anywhere text-navy tabular-nums">{value}</span>
  </Link>
)

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

const CardLink = ({ children, href }: { children: ReactNode; href: string }) => (
  <Link
    href={href}
    className="grid rounded-card [&>*]:transition-colors hover:[&>*]:border-navy max-sm:[&>*]:min-h-14 max-sm:[&>*]:py-1"
  >
    {children}
  </Link>
)

const loading = <Skeleton className="h-7 w-20" />
