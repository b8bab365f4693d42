import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { monthsBetween, twelveMonthsStart } from '../../../../domain/money/revenue.ts'
import type { Outputs } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { type QueryLike, QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'

type MonthlyRevenueProps = {
  /** The revenue of all time. */
  query: QueryLike<Outputs['payments']['revenueSummary']>
  today: string
  period: string
}

/** The twelve months of the selected year, or the last twelve; those in the selected period are highlighted. */
export function MonthlyRevenue({ query, today, period }: MonthlyRevenueProps) {
  const year = period.slice(0, 4)
  const [first, last] = year ? [`${year}-01-01`, `${year}-12-01`] : [twelveMonthsStart(today), today]
  return (
    <Card aria-label="Monthly Revenue">
      <CardHeader
        title={`Monthly Revenue (${year || 'Last 12 Months'})`}
        subtitle={`${formatMonth(first)} to ${formatMonth(last)}`}
      />
      <CardBody>
        <QueryView
          query={query}
          loading={<Skeleton className="h-68 w-full" />}
          error="Failed to fetch revenue data"
        >
          {({ monthlyRevenue }) => {
            const months = monthsBetween(first, last).map(month => ({
              month,
              cents: monthlyRevenue[month] ?? 0,
            }))
            return (
              <>
                <MonthlyChart months={months} period={period} />
                {/* A table alone takes its height though nobody sees it. */}
                <div className="sr-only">
                  <MonthsTable
                    months={months}
                    caption={`Monthly revenue ${year ? `in ${year}` : lastTwelve}`}
                  />
                </div>
              </>
            )
          }}
        </QueryView>
      </CardBody>
    </Card>
  )
}

const lastTwelve = 'for the last 12 months'

/** The same data as the chart, for screen readers. */
function MonthsTable({ months, caption }: { months: readonly MonthOfRevenue[]; caption: string }) {
  return (
    <table>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Revenue</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ month, cents }) => (
          <tr key={month}>
            <th scope="row">{formatMonth(`${month}-01`)}</th>
            <td>{formatCents(cents)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type MonthOfRevenue = { month: string; cents: number }

type MonthlyChartProps = {
  months: readonly MonthOfRevenue[]
  /** The period that the rest of the screen shows: `2026-03`, `2026`, or empty for all time. */
  period: string
}

/** One bar per month, hidden from screen readers, which get the same data as a table. */
export function MonthlyChart({ months, period }: MonthlyChartProps) {
  const hasTwoYears = months[0]?.month.slice(0, 4) !== months.at(-1)?.month.slice(0, 4)
  const ticks = axisTicks(months.map(({ cents }) => cents))
  const [bottom = 0, top = 0] = [ticks[0], ticks.at(-1)]
  const percentOf = (cents: number) => (100 * (cents - bottom)) / (top - bottom)
  const maxCents = Math.max(...months.map(({ cents }) => cents))
  const tallest = maxCents > 0 ? months.find(({ cents }) => cents === maxCents) : undefined
  return (
    <div aria-hidden className="group/chart pl-12">
      <div className="relative mt-5 h-52">
        {ticks.map(cents => (
          <div
            key={cents}
            className={classNames(
              'absolute inset-x-0 border-t',
              cents === 0 ? 'border-line-strong' : 'border-line',
            )}
            style={{ bottom: `${percentOf(cents)}%` }}
          >
            <span className="absolute right-full mr-2.5 -translate-y-1/2 text-[0.8125rem] whitespace-nowrap text-muted tabular-nums">
              {shortDollars(cents)}
            </span>
          </div>
        ))}
        {months.every(({ cents }) => cents === 0) && (
          <p className="absolute inset-x-0 top-1/3 text-center text-muted">No revenue in these months.</p>
        )}
        <div className="absolute inset-0 flex">
          {months.map((each, index) => (
            <MonthBar
              key={each.month}
              {...each}
              zero={percentOf(0)}
              value={percentOf(each.cents)}
              isTallest={each === tallest}
              isChosen={each.month.startsWith(period)}
              side={index < 2 ? 'left' : index > months.length - 3 ? 'right' : 'center'}
            />
          ))}
        </div>
      </div>
      <div className="mt-2 flex">
        {months.map(({ month }) => (
          <MonthName
            key={month}
            month={month}
            isChosen={period !== '' && month.startsWith(period)}
            hasYear={hasTwoYears}
          />
        ))}
      </div>
    </div>
  )
}

type MonthBarProps = MonthOfRevenue & {
  /** The positions of zero and of the month's revenue, in percent of the chart's height. */
  zero: number
  value: number
  isTallest: boolean
  isChosen: boolean
  /** The alignment of the amount, so that it stays inside the chart. */
  side: 'left' | 'center' | 'right'
}

/** The tallest bar shows its amount; during hover the hovered bar shows its amount instead. */
function MonthBar({ month, cents, zero, value, isTallest, isChosen, side }: MonthBarProps) {
  return (
    <div
      data-month={month}
      data-chosen={isChosen || undefined}
      className="group/bar relative grow basis-0 transition-colors hover:bg-shell"
    >
      <div
        className={classNames(
          // A month without revenue is drawn as a line.
          'absolute inset-x-[14%] min-h-0.5',
          cents < 0 ? 'rounded-b-[0.25rem]' : 'rounded-t-[0.25rem]',
          isChosen ? 'bg-lagoon-dark' : 'bg-lagoon/75',
        )}
        style={{ bottom: `${Math.min(zero, value)}%`, height: `${Math.abs(value - zero)}%` }}
      />
      <span
        className={classNames(
          'pointer-events-none absolute z-1 mb-1 text-sm leading-tight font-semibold whitespace-nowrap text-navy tabular-nums',
          sides[side],
          isTallest ? 'group-has-[[data-month]:hover]/chart:opacity-0' : 'opacity-0',
          // A white box, so that the grid lines do not cross the amount.
          'rounded-[0.25rem] bg-white px-1 group-hover/bar:opacity-100!',
        )}
        style={{ bottom: `${Math.max(zero, value)}%` }}
      >
        {formatCents(cents)}
      </span>
    </div>
  )
}

const sides = { left: 'left-0', center: 'left-1/2 -translate-x-1/2', right: 'right-0' }

type MonthNameProps = { month: string; isChosen: boolean; hasYear: boolean }

/** `Jan`, or one letter if there is little room, with the years below where one ends and the next begins. */
function MonthName({ month, isChosen, hasYear }: MonthNameProps) {
  const name = formatMonth(`${month}-01`).slice(0, 3)
  const isDecember = hasYear && month.endsWith('-12')
  const isJanuary = hasYear && month.endsWith('-01')
  return (
    <div
      className={classNames(
        'flex min-w-0 grow basis-0 flex-col text-[0.8125rem] leading-snug',
        isChosen ? 'font-semibold text-navy' : 'text-muted',
      )}
    >
      <span className="text-center">
        {name.slice(0, 1)}
        <span className="max-sm:hidden">{name.slice(1)}</span>
      </span>
      {(isDecember || isJanuary) && (
        <span
          className={classNames(
            'w-10 font-normal text-muted tabular-nums',
            isDecember ? 'self-end pr-1 text-right' : 'self-start border-l border-line-strong pl-1',
          )}
        >
          {month.slice(0, 4)}
        </span>
      )}
    </div>
  )
}

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const shortDollars = (cents: number) => compact.format(cents / 100).replace('-', '−')

/** The upper end of the axis of an empty chart, in cents. */
const leastTopCents = 100_00

/** Three to six round amounts in cents at even steps, lowest first, that cover zero and all values. */
export function axisTicks(values: readonly number[]): number[] {
  const low = Math.min(0, ...values)
  const high = Math.max(leastTopCents, ...values)
  const step = roundStep((high - low) / 4)
  const first = Math.floor(low / step)
  const count = Math.ceil(high / step) - first + 1
  return Array.from({ length: count }, (_, tick) => (first + tick) * step)
}

/** The next larger 1, 2 or 5 times a power of ten. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find(factor => factor * power >= least) ?? 10)
}
