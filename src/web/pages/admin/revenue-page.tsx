import { keepPreviousData, useMutation } from '@tanstack/react-query'
import { CalendarClock, Download } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { revenueFileName } from '../../../domain/money/payment.ts'
import type { RevenueInput } from '../../../domain/money/payment-input.ts'
import { describeReturned } from '../../../domain/money/revenue.ts'
import { api, type Outputs } from '../../api/api.ts'
import { fetchFile, saveFile } from '../../api/files.ts'
import { useToday } from '../../features/stays/today.ts'
import { toastFailure } from '../../forms/failure-toast.ts'
import { paths } from '../../routing/paths.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choice-fields.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { MonthlyRevenue } from './revenue/monthly-revenue.tsx'
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

type Disputed = Outputs['payments']['revenueSummary']['disputed']

/** Explains why the totals are lower than the card payments. */
function DisputedNote({ open, lost }: Disputed) {
  const lines = [
    open.count > 0 && `${plural(open.count, 'payment')} in dispute: ${formatCents(open.amount)} not counted`,
    lost.count > 0 &&
      `${plural(lost.count, 'payment')} lost in a dispute: ${formatCents(lost.amount)} not counted`,
  ].filter(line => line !== false)
  if (lines.length === 0) return null
  return (
    <Notice tone="warning" className="py-3 lg:col-span-2">
      {lines.map(line => (
        <p key={line} className="text-[0.9375rem]">
          {line}
        </p>
      ))}
    </Notice>
  )
}

function ExportButton({ input }: { input: RevenueInput }) {
  const download = useMutation({
    mutationFn: async () => {
      const given = Object.entries(input).map(([name, value]) => [name, String(value ?? '')])
      const file = await fetchFile(`/api/payment/admin/revenue.csv?${new URLSearchParams(given)}`)
      saveFile(file, revenueFileName(input))
    },
    onError: error => toastFailure(error, 'Failed to export revenue data'),
  })
  return (
    <Button
      variant="secondary"
      busy={download.isPending}
      busyLabel="Exporting..."
      onClick={() => download.mutate()}
    >
      <Download aria-hidden />
      Export to CSV
    </Button>
  )
}

type PeriodSelectorProps = {
  choice: PeriodChoice
  currentYear: number
  onChange: (choice: PeriodChoice) => void
}

function PeriodSelector({ choice, currentYear, onChange }: PeriodSelectorProps) {
  return (
    <fieldset className="mb-6 grid grid-cols-2 gap-3 sm:flex sm:gap-4">
      <legend className="sr-only">Revenue period</legend>
      <SelectField
        label="Period"
        className="max-sm:col-span-2 sm:w-40"
        value={choice.period}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...choice, period: value === 'year' || value === 'month' ? value : 'all' })
        }
      >
        <option value="all">All Time</option>
        <option value="year">Year</option>
        <option value="month">Month</option>
      </SelectField>
      {choice.period !== 'all' && (
        <SelectField
          label="Year"
          className="sm:w-32"
          value={choice.year}
          onChange={event => onChange({ ...choice, year: Number(event.currentTarget.value) })}
        >
          {yearChoices(currentYear).map(year => (
            <option key={year}>{year}</option>
          ))}
        </SelectField>
      )}
      {choice.period === 'month' && (
        <SelectField
          label="Month"
          className="sm:w-44"
          value={choice.month}
          onChange={event => onChange({ ...choice, month: Number(event.currentTarget.value) })}
        >
          {monthNames.map((name, index) => (
            <option key={name} value={index + 1}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
    </fieldset>
  )
}

/** The state of the period selector. Year and month are kept while another period is selected. */
type PeriodChoice = { period: 'all' | 'year' | 'month'; year: number; month: number }

const monthNames = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
)

/** The current year and the five before it. */
const yearChoices = (currentYear: number) => Array.from({ length: 6 }, (_, back) => currentYear - back)

/** All time is sent as no period. */
function toInput({ period, year, month }: PeriodChoice): RevenueInput {
  if (period === 'all') return {}
  return period === 'year' ? { period, year } : { period, year, month }
}

/** `All time`, `2026`, `March 2026`. */
function periodLabel({ period, year, month }: PeriodChoice): string {
  if (period === 'all') return 'All time'
  return period === 'year' ? `${year}` : `${monthNames[month - 1]} ${year}`
}

/** The prefix of the period's months: `2026-03`, `2026`, or empty for all time. */
function monthPrefix({ period, year, month }: PeriodChoice): string {
  if (period === 'all') return ''
  return period === 'year' ? `${year}` : `${year}-${String(month).padStart(2, '0')}`
}
