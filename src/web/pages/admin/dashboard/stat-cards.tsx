import { CircleCheck, Clock, FileText, Wallet } from 'lucide-react'
import { formatCents } from '../../../../domain/money.ts'
import { plural } from '../../../../domain/plural.ts'
import { api } from '../../../api/api.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatCard } from '../../../ui/stat-card.tsx'
import { pollIntervalMs } from './poll-interval.ts'

export function StatCards() {
  const counts = api.applications.adminCounts.useQuery(undefined, { refetchInterval: pollIntervalMs })
  const { total, pending, approved } = counts.data?.counts ?? {}
  const count = (value: number | undefined) => value ?? (counts.isError ? '–' : loading)
  return (
    <div className="mb-6 grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <StatCard label="Total applications" icon={<FileText />} value={count(total)} />
      <StatCard
        label="Pending"
        icon={<Clock />}
        value={count(pending)}
        hint={pending !== undefined && pending > 0 && 'waiting for your answer'}
      />
      <StatCard label="Approved" icon={<CircleCheck />} value={count(approved)} />
      <RevenueCard />
    </div>
  )
}

function RevenueCard() {
  const revenue = api.payments.revenueSummary.useQuery({}, { refetchInterval: pollIntervalMs })
  const summary = revenue.data?.summary
  if (!summary && revenue.isError) {
    return (
      <StatCard
        label="Total revenue"
        icon={<Wallet />}
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
    <StatCard
      label="Total revenue"
      icon={<Wallet />}
      value={summary ? formatCents(summary.totalRevenue) : loading}
      hint={
        summary ? `${formatCents(summary.netRevenue)} net · ${plural(summary.paymentCount, 'payment')}` : ' '
      }
    />
  )
}

const loading = <Skeleton className="h-8 w-20" />
