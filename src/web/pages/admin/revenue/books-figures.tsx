import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { formatMonth, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { monthNames, type TableRow } from '../../../../domain/money/book-lines.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'

export type BookYear = Outputs['books']['year']

/** A figure whose movements are shown; without a month that of the year. */
export type OpenFigure = { line: string; label: string; month?: number }

export const formatFigure = (cents: number) =>
  cents === 0 ? <span className="font-normal text-muted">0</span> : formatCents(cents)

type MonthsTableProps = {
  title: string
  subtitle?: string
  rows: readonly TableRow[]
  /** Of what is no amount. */
  format?: (value: number, key: string) => ReactNode
  /** Comes before a key in the name of its line; a figure that is no sum of others then opens its movements. */
  prefix?: string
  onOpen?: (figure: OpenFigure) => void
}

/** Twelve months and the year side by side; the names stay in sight while the months scroll. */
export function MonthsTable(props: MonthsTableProps) {
  const { format = formatFigure, onOpen, prefix = '', rows, subtitle, title } = props
  return (
    <Card aria-label={title} className="min-w-0 overflow-hidden">
      <CardHeader title={title} subtitle={subtitle} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard */}
      <section tabIndex={0} aria-label={`${title}, months`} className="overflow-x-auto">
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="border-b border-line text-muted">
              <th scope="col" className={nameClass}>
                <span className="sr-only">Line</span>
              </th>
              {[...monthNames, 'Year'].map(name => (
                <th key={name} scope="col" className="px-2 py-2.5 text-right font-semibold last:pr-5">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells, isSum, key, label }) => (
              <tr
                key={key}
                className={classNames('border-line not-last:border-b', isSum && 'font-semibold text-navy')}
              >
                <th scope="row" className={classNames(nameClass, isSum ? 'font-semibold' : 'font-normal')}>
                  {label}
                </th>
                {cells.map((value, i) => (
                  <td
                    key={monthNames[i] ?? 'Year'}
                    className="h-11 px-2 text-right whitespace-nowrap last:pr-5 last:font-semibold"
                  >
                    {onOpen && value !== 0 && !isSum ? (
                      <button
                        type="button"
                        aria-label={`${label}, ${monthNames[i] ?? 'year'}: ${formatCents(value)}`}
                        className="-mx-1 min-h-8 cursor-pointer rounded-[0.25rem] px-1 hover:bg-shell hover:underline"
                        onClick={() => onOpen({ line: prefix + key, label, ...(i < 12 && { month: i + 1 }) })}
                      >
                        {formatCents(value)}
                      </button>
                    ) : (
                      format(value, key)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

const nameClass = 'sticky left-0 z-1 min-w-32 bg-white py-2.5 pr-2 pl-5 text-left'

type Movement = Outputs['books']['lines']['movements'][number]
type MovementsDialogProps = { figure: OpenFigure; year: number; onClose: () => void }

/** What a figure is the sum of (BOOK-20). */
export function MovementsDialog({ figure, onClose, year }: MovementsDialogProps) {
  const { label, line, month } = figure
  const query = api.books.lines.useQuery({ year, line, ...(month && { month }) })
  const when = month ? formatMonth(`${year}-${String(month).padStart(2, '0')}-01`) : String(year)
  return (
    <Dialog
      open
      size="xl"
      title={`${label}, ${when}`}
      description={query.data && `Together ${formatCents(query.data.sumCents)}`}
      onOpenChange={next => !next && onClose()}
    >
      <QueryView query={query} loading="Loading movements..." error="Failed to load the movements">
        {({ movements }) => (
          <DataTable
            dense
            joined
            caption="Movements"
            columns={columns}
            rows={movements.map((movement, i) => ({ ...movement, id: i }))}
            rowKey={({ id }) => id}
          />
        )}
      </QueryView>
    </Dialog>
  )
}

const columns: readonly Column<Movement>[] = [
  { key: 'date', header: 'Date', className: 'whitespace-nowrap', cell: ({ date }) => formatShortDate(date) },
  {
    key: 'who',
    header: 'Who',
    cell: ({ applicationId, applicationNumber, tenantName }) => (
      <>
        {tenantName}{' '}
        {applicationId ? (
          <Link href={paths.adminApplication(applicationId)} className="link whitespace-nowrap">
            {applicationNumber}
          </Link>
        ) : (
          applicationNumber
        )}
      </>
    ),
  },
  {
    key: 'what',
    header: 'What',
    cell: ({ description, method, reference, what }) => (
      <>
        {[what, method].filter(Boolean).join(', ')}
        <span className="block text-sm wrap-anywhere text-muted">
          {[reference, description].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  { key: 'amount', header: 'Amount', align: 'right', cell: ({ cents }) => formatCents(cents) },
]
