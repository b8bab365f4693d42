import { formatShortDate } from '../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { type Column, DataTable } from '../../ui/table.tsx'

/** A rate period as shown in the public table; prices in US dollars. */
export type RateRow = {
  id: string
  period: string
  startDate: string | null
  endDate: string | null
  nightly: number | null
  weekendNight: number | null
  weekly: number | null
  monthly: number | null
  minStay: number
}

const price = (header: string, key: 'nightly' | 'weekendNight' | 'weekly' | 'monthly'): Column<RateRow> => ({
  key,
  header,
  align: 'right',
  cell: rate => {
    const dollars = rate[key]
    return dollars === null ? '-' : formatCents(dollarsToCents(dollars))
  },
})

const period: Column<RateRow> = {
  key: 'period',
  header: 'Period',
  hideLabelOnCard: true,
  className: 'max-sm:col-span-2',
  cell: ({ period, startDate, endDate }) => (
    <>
      <span className="font-semibold text-navy max-sm:text-lg">{period}</span>
      {startDate && endDate && (
        <span className="block text-[0.9375rem] text-muted">
          <span className="whitespace-nowrap">{formatShortDate(startDate)} –</span>{' '}
          <span className="whitespace-nowrap">{formatShortDate(endDate)}</span>
        </span>
      )}
    </>
  ),
}

const prices = [
  price('Nightly', 'nightly'),
  price('Weekend', 'weekendNight'),
  price('Weekly', 'weekly'),
  price('Monthly', 'monthly'),
]

const minStay: Column<RateRow> = {
  key: 'minStay',
  header: 'Min stay',
  align: 'right',
  className: 'max-sm:col-span-2',
  cell: rate => plural(rate.minStay, 'night'),
}

const columns = [period, ...prices, minStay]

export function RatesTable({ rates }: { rates: readonly RateRow[] }) {
  return (
    <DataTable
      caption="Rate periods, in US dollars"
      columns={columns}
      // On a phone the four prices are in a two-by-two grid.
      cardClassName="max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-6"
      rows={rates}
      rowKey={rate => rate.id}
    />
  )
}
