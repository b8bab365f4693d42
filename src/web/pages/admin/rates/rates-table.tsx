import { Layers2, Pencil, Trash2 } from 'lucide-react'
import { formatShortDate } from '../../../../domain/dates.ts'
import { dollarsToCents, formatCents } from '../../../../domain/money.ts'
import { plural } from '../../../../domain/plural.ts'
import type { Rate } from '../../../../domain/rate.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { overlapsOf } from './overlaps.ts'

type RatesTableProps = {
  rates: readonly Rate[]
  onEdit: (rate: Rate) => void
  onDelete: (rate: Rate) => void
  deletingId: string | undefined
}

export function RatesTable({ rates, onEdit, onDelete, deletingId }: RatesTableProps) {
  const columns: Column<Rate>[] = [
    {
      key: 'period',
      header: 'Period',
      hideLabelOnCard: true,
      cell: rate => <PeriodCell rate={rate} rates={rates} />,
    },
    {
      key: 'dates',
      header: 'Date Range',
      cell: rate => (
        <>
          <span className="whitespace-nowrap">{formatShortDate(rate.startDate)} –</span>{' '}
          <span className="whitespace-nowrap">{formatShortDate(rate.endDate)}</span>
        </>
      ),
    },
    { key: 'monthly', header: 'Monthly', align: 'right', cell: rate => price(rate.monthly) },
    { key: 'weekly', header: 'Weekly', align: 'right', cell: rate => price(rate.weekly) },
    {
      key: 'nightly',
      header: 'Nightly',
      align: 'right',
      cell: rate => (
        <>
          {price(rate.nightly)}
          {rate.weekendNight !== null && (
            <span className="block text-sm text-muted lg:whitespace-nowrap">
              {price(rate.weekendNight)} weekend
            </span>
          )}
        </>
      ),
    },
    {
      key: 'minStay',
      header: 'Min Stay',
      align: 'right',
      cell: ({ minStay, maxStay }) => (
        <>
          {plural(minStay, 'night')}
          {maxStay !== null && <span className="block text-sm text-muted">at most {maxStay}</span>}
        </>
      ),
      className: 'lg:whitespace-nowrap',
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ isActive }) => (
        <Badge tone={isActive ? 'green' : 'neutral'}>{isActive ? 'Active' : 'Inactive'}</Badge>
      ),
    },
    {
      key: 'actions',
      header: 'Actions',
      cell: rate => (
        <div className="-my-1 flex sm:max-lg:flex-col">
          <IconButton label={`Edit ${rate.period}`} onClick={() => onEdit(rate)}>
            <Pencil aria-hidden />
          </IconButton>
          <IconButton
            label={`Delete ${rate.period}`}
            tone="danger"
            disabled={deletingId === rate.id}
            onClick={() => onDelete(rate)}
          >
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      ),
    },
  ]
  return (
    <DataTable
      caption="Rate periods"
      columns={columns}
      rows={rates}
      rowKey={rate => rate.id}
      dense
      // Eight columns fit a small tablet only with less padding.
      className="sm:max-lg:text-[0.9375rem] sm:max-lg:[&_td]:px-1.5 sm:max-lg:[&_th]:px-1.5"
    />
  )
}

function PeriodCell({ rate, rates }: { rate: Rate; rates: readonly Rate[] }) {
  const names = overlapsOf(rate, rates).map(({ rate }) => rate.period)
  return (
    <>
      <span className="font-semibold wrap-break-word text-navy">{rate.period}</span>
      {names.length > 0 && (
        <span className="flex items-center gap-1.5 text-sm text-yellow">
          <Layers2 aria-hidden className="size-3.5 shrink-0" />
          Overlaps {names.join(', ')}
        </span>
      )}
    </>
  )
}

/** A price in dollars, `-` where there is none. */
function price(dollars: number | null): string {
  return dollars === null ? '-' : formatCents(dollarsToCents(dollars))
}
