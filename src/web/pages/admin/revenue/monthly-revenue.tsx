import { formatMonth } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { monthsBetween, twelveMonthsStart } from '../../../../domain/money/revenue.ts'
import { api } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { MonthlyChart, type MonthOfRevenue } from './monthly-chart.tsx'

/** Always the last twelve months; those in the selected period are highlighted. */
export function MonthlyRevenue({ today, period }: { today: string; period: string }) {
  const query = api.payments.revenueSummary.useQuery({})
  const range = `${formatMonth(twelveMonthsStart(today))} to ${formatMonth(today)}`
  return (
    <Card aria-label="Monthly Revenue">
      <CardHeader title="Monthly Revenue (Last 12 Months)" subtitle={`Always ${range}`} />
      <CardBody>
        <QueryView
          query={query}
          loading={<Skeleton className="h-68 w-full" />}
          error="Failed to fetch revenue data"
        >
          {({ monthlyRevenue }) => {
            const months = monthsBetween(twelveMonthsStart(today), today).map(month => ({
              month,
              cents: monthlyRevenue[month] ?? 0,
            }))
            return (
              <>
                <MonthlyChart months={months} period={period} />
                <MonthsTable months={months} />
              </>
            )
          }}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** The same data as the chart, for screen readers. */
function MonthsTable({ months }: { months: readonly MonthOfRevenue[] }) {
  return (
    <table className="sr-only">
      <caption>Monthly revenue for the last 12 months</caption>
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
