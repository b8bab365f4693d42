import { keepPreviousData } from '@tanstack/react-query'
import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../domain/common/money.ts'
import { describeReturned } from '../../../domain/money/revenue-breakdown.ts'
import { api, type Outputs } from '../../api/api.ts'
import { useToday } from '../../features/stays/today.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { DisputedNote } from './revenue/disputed-note.tsx'
import { ExportButton } from './revenue/export-button.tsx'
import { MonthlyRevenue } from './revenue/monthly-revenue.tsx'
import { monthPrefix, type PeriodChoice, periodLabel, toInput } from './revenue/period.ts'
import { PeriodSelector } from './revenue/period-selector.tsx'
import { RevenueByType } from './revenue/revenue-by-type.tsx'
import { RevenuePayments } from './revenue/revenue-payments.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']

export function RevenuePage() {
  const today = useToday()
  const [currentYear, currentMonth] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const [chosen, choose] = useState<PeriodChoice>()
  const choice = chosen ?? { period: 'all', year: currentYear, month: currentMonth }
  const input = toInput(choice)
  const period = periodLabel(choice)
  const query = api.payments.revenueSummary.useQuery(input, { placeholderData: keepPreviousData })
  return (
    <Page
      title="Revenue Dashboard"
      subtitle={`${period}, payments received and card fees included`}
      action={
        <>
          <ExportButton input={input} />
          <DueLink />
        </>
      }
    >
      <PeriodSelector choice={choice} currentYear={currentYear} onChange={choose} />
      <QueryView query={query} loading={loading} error="Failed to fetch revenue data">
        {data => (
          <div
            aria-busy={query.isPlaceholderData}
            className={classNames(
              'grid gap-5 transition-opacity lg:grid-cols-2',
              query.isPlaceholderData && 'opacity-60',
            )}
          >
            <Figures {...data} />
            <DisputedNote {...data.disputed} />
            <MonthlyRevenue today={today} period={monthPrefix(choice)} />
            <RevenueByType revenueByType={data.revenueByType} period={period} />
            <div className="lg:col-span-2">
              <RevenuePayments {...data} period={period} />
            </div>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** Shown only if there are payment plans. It appears late, so it is placed where it does not move other elements. */
function DueLink() {
  if (!api.plans.exist.useQuery().data) return null
  return (
    <Button variant="secondary" className="sm:order-first" asChild>
      <Link href={paths.adminDue}>
        <CalendarClock aria-hidden />
        What is due
      </Link>
    </Button>
  )
}

function Figures({ summary: figures, revenueByType }: Pick<RevenueSummary, 'summary' | 'revenueByType'>) {
  const returned = describeReturned(revenueByType).join(' and ')
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:col-span-2 xl:grid-cols-4">
      <StatCard label="Total Revenue" value={formatCents(figures.totalRevenue)} />
      <StatCard
        label="Net Revenue"
        value={formatCents(figures.netRevenue)}
        hint={`after fees of ${formatCents(figures.totalFees)}`}
      />
      <StatCard
        label="Total Payments"
        value={figures.paymentCount}
        hint={returned && `received; ${returned} not counted`}
      />
      <StatCard label="Average Payment" value={formatCents(figures.averagePayment)} />
    </div>
  )
}

const loading = (
  <div className="grid gap-5 lg:grid-cols-2">
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:col-span-2 xl:grid-cols-4">
      {[1, 2, 3, 4].map(card => (
        <Skeleton key={card} className="h-22 w-full rounded-card" />
      ))}
    </div>
    <Skeleton className="h-92 w-full rounded-card" />
    <Skeleton className="h-92 w-full rounded-card" />
    <Skeleton className="h-96 w-full rounded-card lg:col-span-2" />
  </div>
)
