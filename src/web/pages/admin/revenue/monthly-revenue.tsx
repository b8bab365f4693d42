import { lazy, Suspense } from 'react'
import { formatMonth } from '../../../../domain/dates.ts'
import { formatCents } from '../../../../domain/money.ts'
import { monthsBetween, twelveMonthsStart } from '../../../../domain/revenue.ts'
import { api } from '../../../api/api.ts'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { MonthOfRevenue } from './monthly-chart.tsx'

const MonthlyChart = lazy(() => import('./monthly-chart.tsx').then(m => ({ default: m.MonthlyChart })))

/** The last twelve months, whatever period is chosen. */
export function MonthlyRevenue({ today }: { today: string }) {
  const query = api.payments.revenueSummary.useQuery({})
  const chart = <Skeleton className="h-64 w-full" />
  return (
    <Card aria-label="Monthly Revenue">
      <CardHeader title="Monthly Revenue (Last 12 Months)" />
      <CardBody>
        <QueryView query={query} loading={chart} error="Failed to fetch revenue data">
          {({ monthlyRevenue }) => {
            const months = monthsBetween(twelveMonthsStart(today), today).map(month => ({
              month,
              cents: monthlyRevenue[month] ?? 0,
            }))
            return (
              <>
                <div aria-hidden className="h-64">
                  <Suspense fallback={chart}>
                    <MonthlyChart months={months} />
                  </Suspense>
                </div>
                <MonthsTable months={months} />
              </>
            )
          }}
        </QueryView>
      </CardBody>
    </Card>
  )
}

/** The chart for screen readers. */
function MonthsTable({ months }: { months: readonly MonthOfRevenue[] }) {
  return (
    <table className="sr-only">
      <caption>Monthly revenue of the last 12 months</caption>
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
