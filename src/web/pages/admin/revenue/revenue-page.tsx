import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { revenueFileName } from '../../../../domain/money/payment.ts'
import type { RevenueInput } from '../../../../domain/money/payment-input.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useToday } from '../../../features/stays/today.ts'
import { DownloadButton } from '../../../forms/download-button.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatCard } from '../../../ui/stat-card.tsx'
import { AreaPage } from '../area.tsx'
import { MonthlyRevenue } from './monthly-revenue.tsx'
import { RevenueByType } from './revenue-by-type.tsx'
import { RevenuePayments } from './revenue-payments.tsx'

type RevenueSummary = Outputs['payments']['revenueSummary']

export function RevenuePage() {
  const today = useToday()
  const [currentYear, currentMonth] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))]
  const [chosen, choose] = useState<PeriodChoice>()
  const choice = chosen ?? { period: 'all', year: currentYear, month: currentMonth }
  const input = toInput(choice)
  const period = periodLabel(choice)
  const query = api.payments.revenueSummary.useQuery(input, { placeholderData: keepPreviousData })
  const allTime = api.payments.revenueSummary.useQuery({})
  return (
    <AreaPage
      area="revenue"
      subtitle={`${period}, card fees included. Deposits count here when they come. For taxes use Books.`}
      action={
        <>
          <PeriodSelector
            choice={choice}
            currentYear={currentYear}
            months={allTime.data?.monthlyRevenue}
            onChange={choose}
          />
          <ExportButton input={input} />
        </>
      }
    >
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
            <MonthlyRevenue query={allTime} today={today} period={monthPrefix(choice)} />
            <RevenueByType revenueByType={data.revenueByType} period={period} />
            <div className="lg:col-span-2">
              <RevenuePayments {...data} period={period} />
            </div>
          </div>
        )}
      </QueryView>
    </AreaPage>
  )
}

type FiguresProps = Pick<RevenueSummary, 'summary' | 'revenueByType' | 'heldDeposits'>

function Figures({ heldDeposits, summary: figures, revenueByType }: FiguresProps) {
  const returned = (revenueByType.deposit_return?.count ?? 0) + (revenueByType.refund?.count ?? 0)
  return (
    <div className={figuresClass}>
      <StatCard
        className="max-md:col-span-2 max-md:min-h-0"
        label="Total Revenue"
        value={formatCents(figures.totalRevenue)}
      />
      <StatCard
        label="Net Revenue"
        value={formatCents(figures.netRevenue)}
        hint={`after card fees of ${formatCents(figures.totalFees)}`}
      />
      <StatCard
        label="Total Payments"
        value={figures.paymentCount}
        hint={returned > 0 && `${plural(returned, 'return')} not counted`}
      />
      <StatCard label="Average Payment" value={formatCents(figures.averagePayment)} />
      <StatCard label="Held deposits" value={formatCents(heldDeposits)} hint="today" />
    </div>
  )
}

/** On a tablet five fit in one row only with smaller figures. */
const figuresClass =
  'grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-5 md:max-lg:gap-2 md:max-lg:*:px-3 md:max-lg:[&_dd:first-of-type]:text-lg lg:col-span-2'

const loading = (
  <div className="grid gap-5 lg:grid-cols-2">
    <div className={figuresClass}>
      {[1, 2, 3, 4, 5].map(card => (
        <Skeleton
          key={card}
          className="h-22 w-full rounded-card max-md:first:col-span-2 max-md:first:h-17.5"
        />
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
  const given = Object.entries(input).map(([name, value]) => [name, String(value ?? '')])
  return (
    <DownloadButton
      path={`/api/payment/admin/revenue.csv?${new URLSearchParams(given)}`}
      saveAs={revenueFileName(input)}
      failedText="Failed to export revenue data"
      busyLabel="Exporting..."
    >
      <span>
        <span className="max-sm:sr-only">Export to </span>CSV
      </span>
    </DownloadButton>
  )
}

type PeriodSelectorProps = {
  choice: PeriodChoice
  currentYear: number
  /** The revenue of every month; undefined while it is unknown. */
  months: RevenueSummary['monthlyRevenue'] | undefined
  onChange: (choice: PeriodChoice) => void
}

function PeriodSelector({ choice, currentYear, months, onChange }: PeriodSelectorProps) {
  return (
    <fieldset className="flex flex-wrap gap-3">
      <legend className="sr-only">Revenue period</legend>
      <SelectField
        label="Period"
        hideLabel
        className="w-36"
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
          hideLabel
          className="w-28"
          value={choice.year}
          onChange={event => onChange({ ...choice, year: Number(event.currentTarget.value) })}
        >
          {yearChoices(currentYear).map(year => (
            <option key={year} disabled={year !== currentYear && !hasRevenue(months, year)}>
              {year}
            </option>
          ))}
        </SelectField>
      )}
      {choice.period === 'month' && (
        <SelectField
          label="Month"
          hideLabel
          className="w-40"
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

/** Whether a year can be chosen: one without revenue has nothing to show (LOOK-86). */
function hasRevenue(months: PeriodSelectorProps['months'], year: number): boolean {
  return (
    !months || Object.entries(months).some(([month, cents]) => month.startsWith(`${year}-`) && cents !== 0)
  )
}

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
