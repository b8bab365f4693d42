import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { formatMonth } from '../../../../domain/dates.ts'
import { formatCents } from '../../../../domain/money.ts'

export type MonthOfRevenue = { month: string; cents: number }

const axis = { tick: { fill: 'var(--color-muted)', fontSize: 13 }, tickLine: false, axisLine: false }

/** Loaded on its own, because nothing else needs the chart library. */
export function MonthlyChart({ months }: { months: readonly MonthOfRevenue[] }) {
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...months]}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke="var(--color-line)" />
        <XAxis
          dataKey="month"
          tickFormatter={shortMonth}
          interval="preserveStartEnd"
          minTickGap={4}
          {...axis}
        />
        <YAxis tickFormatter={shortDollars} width={48} allowDecimals={false} {...axis} />
        <Tooltip
          isAnimationActive={false}
          cursor={{ fill: 'var(--color-shell)' }}
          content={({ active, payload }) => {
            const row = active ? (payload[0]?.payload as MonthOfRevenue | undefined) : undefined
            return row && <Hint {...row} />
          }}
        />
        <Bar
          dataKey="cents"
          // A month without revenue shows as a line.
          minPointSize={2}
          fill="var(--color-lagoon-dark)"
          radius={[4, 4, 0, 0]}
          maxBarSize={44}
          isAnimationActive={false}
        />
      </BarChart>
    </ResponsiveContainer>
  )
}

function Hint({ month, cents }: MonthOfRevenue) {
  return (
    <div className="rounded-control border border-line bg-white px-3 py-1.5 text-[0.9375rem] shadow-overlay">
      <span className="text-muted">{formatMonth(`${month}-01`)}</span>{' '}
      <span className="font-semibold text-navy tabular-nums">{formatCents(cents)}</span>
    </div>
  )
}

/** `2026-01` -> `Jan`. */
const shortMonth = (month: string) => formatMonth(`${month}-01`).slice(0, 3)

const compact = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  notation: 'compact',
  maximumFractionDigits: 1,
})
const shortDollars = (cents: number) => compact.format(cents / 100)
