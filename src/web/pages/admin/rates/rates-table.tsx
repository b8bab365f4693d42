import { Layers2, Pencil, Trash2 } from 'lucide-react'
import { type CalendarDate, formatShortDate } from '../../../../domain/common/dates.ts'
import { dollarsToCents, formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import type { Rate } from '../../../../domain/money/rate.ts'
import { rateForNight } from '../../../../domain/money/rent-quote.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'

type Period = Pick<Rate, 'startDate' | 'endDate' | 'isActive'> & { id?: string | undefined }
type Overlap = { rate: Rate; from: CalendarDate; to: CalendarDate }

/**
 * The other active periods that share days with an active period, and those days, both ends inclusive. Overlaps are
 * allowed: the shortest period sets the price. A reversed period shares no day.
 */
export function overlapsOf(period: Period, rates: readonly Rate[]): Overlap[] {
  if (!period.isActive) return []
  return rates
    .filter(rate => rate.isActive && rate.id !== period.id)
    .map(rate => ({
      rate,
      from: later(rate.startDate, period.startDate),
      to: earlier(rate.endDate, period.endDate),
    }))
    .filter(({ from, to }) => from !== '' && from <= to)
}

const later = (a: CalendarDate, b: CalendarDate) => (a > b ? a : b)
const earlier = (a: CalendarDate, b: CalendarDate) => (a < b ? a : b)

type RatesTableProps = {
  rates: readonly Rate[]
  onEdit: (rate: Rate) => void
  onDelete: (rate: Rate) => void
  deletingId: string | undefined
}

export function RatesTable({ rates, ...actions }: RatesTableProps) {
  return (
    <DataTable
      caption="Rate periods"
      columns={[
        {
          key: 'period',
          header: 'Period',
          hideLabelOnCard: true,
          className: 'max-sm:col-span-4 max-sm:pr-22',
          cell: rate => <PeriodCell rate={rate} rates={rates} />,
        },
        ...detailColumns,
        actionsColumn(actions),
      ]}
      rows={rates}
      rowKey={rate => rate.id}
      dense
      // On a phone: name and actions, dates and status, then the figures in one row.
      cardClassName="max-sm:relative max-sm:grid max-sm:grid-cols-[9fr_9fr_13fr_minmax(0,9fr)] max-sm:gap-x-2"
      // On a small tablet, seven columns fit only with less padding.
      className="sm:max-lg:text-[0.9375rem] sm:max-lg:[&_td]:px-2 sm:max-lg:[&_th]:px-2"
    />
  )
}

/** On a phone the label is above the figure. */
const figureClass = 'max-sm:order-3 max-sm:flex-col max-sm:justify-start max-sm:gap-0! max-sm:*:text-left'

const detailColumns: readonly Column<Rate>[] = [
  {
    key: 'dates',
    header: 'Date Range',
    hideLabelOnCard: true,
    className: 'max-sm:order-1 max-sm:col-span-3',
    cell: rate => (
      <>
        <span className="whitespace-nowrap">{formatShortDate(rate.startDate)} –</span>{' '}
        <span className="whitespace-nowrap">{formatShortDate(rate.endDate)}</span>
      </>
    ),
  },
  {
    key: 'monthly',
    header: 'Monthly',
    align: 'right',
    className: figureClass,
    cell: rate => price(rate.monthly),
  },
  {
    key: 'weekly',
    header: 'Weekly',
    align: 'right',
    className: figureClass,
    cell: rate => price(rate.weekly),
  },
  {
    key: 'nightly',
    header: 'Nightly',
    align: 'right',
    className: figureClass,
    cell: rate => (
      <>
        {price(rate.nightly)}
        {rate.weekendNight !== null && (
          <span className="block text-sm text-muted whitespace-nowrap max-sm:text-[0.8125rem]">
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
    className: `whitespace-nowrap ${figureClass}`,
  },
  {
    key: 'status',
    header: 'Status',
    hideLabelOnCard: true,
    wideOnly: true,
    className: 'max-sm:order-2 max-sm:justify-self-end',
    cell: ({ isActive }) =>
      isActive ? (
        <Badge tone="green" className="max-sm:hidden">
          Active
        </Badge>
      ) : (
        inactive
      ),
  },
]

const inactive = <Badge>Inactive</Badge>

type Actions = Omit<RatesTableProps, 'rates'>

const actionsColumn = ({ onEdit, onDelete, deletingId }: Actions): Column<Rate> => ({
  key: 'actions',
  header: 'Actions',
  hideLabelOnCard: true,
  className: 'max-sm:absolute max-sm:top-1 max-sm:right-2',
  cell: rate => (
    <div className="-my-1 flex sm:-mx-2.5">
      <IconButton
        label={`Edit ${rate.period}`}
        className="not-hover:text-muted! [&_svg]:size-4.5!"
        onClick={() => onEdit(rate)}
      >
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={`Delete ${rate.period}`}
        tone="danger"
        className="[&_svg]:size-4.5!"
        disabled={deletingId === rate.id}
        onClick={() => onDelete(rate)}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  ),
})

function PeriodCell({ rate, rates }: { rate: Rate; rates: readonly Rate[] }) {
  return (
    <>
      <span className="font-semibold wrap-break-word text-navy">{rate.period}</span>{' '}
      {!rate.isActive && <span className="hidden sm:max-lg:inline">{inactive}</span>}
      {overlapsOf(rate, rates).map(({ from, rate: other }) => (
        <span key={other.id} className="flex gap-1.5 text-sm leading-snug text-muted">
          <Layers2 aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {/* A tablet has no room for a sentence; the note below the table says which one sets the price. */}
          <span className="hidden min-w-0 wrap-anywhere sm:max-lg:block">Overlaps {other.period}</span>
          <span className="min-w-0 wrap-anywhere sm:max-lg:hidden">
            {rateForNight([rate, other], from) === rate
              ? `Sets the price where it overlaps ${other.period}`
              : `${other.period} sets the price where they overlap`}
          </span>
        </span>
      ))}
    </>
  )
}

/** A price in dollars, or `-` if there is none. */
function price(dollars: number | null): string {
  return dollars === null ? '-' : formatCents(dollarsToCents(dollars))
}
