import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { formatMonth, formatShortDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { remittanceForm } from '../../../../domain/money/book-input.ts'
import {
  bridgeLabels,
  cardLabels,
  figureRows,
  monthNames,
  nightLabels,
  reportLabels,
  type TableRow,
} from '../../../../domain/money/book-lines.ts'
import { formatBasisPoints } from '../../../../domain/money/charge.ts'
import { api, newId, type Outputs } from '../../../api/api.ts'
import { asCents } from '../../../features/payments/dollar-amount.ts'
import { useToday } from '../../../features/stays/today.ts'
import { useDialogSubmit } from '../../../forms/change.ts'
import { RemoveDialog } from '../../../forms/confirm-action.tsx'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { fieldPropsOf, useZodForm } from '../../../forms/zod-form.ts'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { MoneyField, TextField } from '../../../ui/text-field.tsx'

export type BookYear = Outputs['books']['year']

/** A figure whose movements are shown; without a month that of the year. */
export type OpenFigure = { line: string; label: string; month?: number }

const formatFigure = (cents: number) =>
  cents === 0 ? <span className="font-normal text-muted">–</span> : formatCents(cents)

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

/** The year and twelve months side by side, of lines with something in them; the names stay in sight on scrolling. */
export function MonthsTable(props: MonthsTableProps) {
  const { format = formatFigure, onOpen, prefix = '', rows, subtitle, title } = props
  const shown = rows.filter(({ cells, isSum }) => isSum || cells.some(value => value !== 0))
  return (
    <Card aria-label={title} className="min-w-0 overflow-hidden">
      <CardHeader title={title} subtitle={subtitle} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls with the keyboard */}
      <section tabIndex={0} aria-label={`${title}, months`} className="overflow-x-auto" style={goesOn}>
        <table className="w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="border-b border-line text-muted">
              <th scope="col" className={nameClass}>
                <span className="sr-only">Line</span>
              </th>
              {['Year', ...monthNames].map(name => (
                <th
                  key={name}
                  scope="col"
                  className="min-w-21 px-2 py-2.5 text-right font-semibold last:min-w-24 last:pr-5"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ cells, isSum, key, label }) => (
              <tr
                key={key}
                className={classNames('border-line not-last:border-b', isSum && 'font-semibold text-navy')}
              >
                <th scope="row" className={classNames(nameClass, isSum ? 'font-semibold' : 'font-normal')}>
                  {label}
                </th>
                {yearFirst(cells).map(([value, i]) => (
                  <td
                    key={monthNames[i] ?? 'Year'}
                    className={classNames(
                      'h-11 px-2 text-right whitespace-nowrap last:pr-5',
                      i === 12 && 'font-semibold',
                    )}
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

/** A shade at the right edge, covered by white once the last column is in sight. */
const goesOn = {
  background: `linear-gradient(to left, white 50%, transparent) right / 4rem 100% no-repeat local,
    linear-gradient(to left, var(--color-line), transparent) right / 1.5rem 100% no-repeat scroll`,
}

/** The figures with their place: the year, which comes last, is in sight on a phone. */
const yearFirst = (cells: readonly number[]) => {
  const figures = cells.map((value, i) => [value, i] as const)
  return [...figures.slice(-1), ...figures.slice(0, -1)]
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

type TaxYear = Outputs['books']['tax']
type Remittance = TaxYear['remittances'][number]
type Taxes = BookYear['taxes']

const loading = <Skeleton className="h-92 w-full rounded-card" />

/** The figures for each tax's return, and what was paid over. */
export function TaxReports({ taxes, year }: { taxes: Taxes; year: number }) {
  const query = api.books.tax.useQuery({ year })
  if (taxes.length === 0)
    return (
      <Card>
        <EmptyState title="No stay owes a tax yet" hint="Taxes of stays are set at Rates, Taxes." />
      </Card>
    )
  return (
    <QueryView query={query} loading={loading} error="Failed to load the taxes">
      {({ remittances, rules }) => (
        <>
          {rules.map(({ basisPoints, months, name, taxRuleId, total }) => (
            <MonthsTable
              key={taxRuleId}
              title={`${name} report`}
              subtitle={formatBasisPoints(basisPoints)}
              rows={figureRows(reportLabels, months, total)}
            />
          ))}
          <Remittances remittances={remittances} taxes={taxes} />
        </>
      )}
    </QueryView>
  )
}

function Remittances({ remittances, taxes }: { remittances: readonly Remittance[]; taxes: Taxes }) {
  const { client } = api.useUtils()
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<Remittance>()
  const nameOf = (id: string) => taxes.find(({ taxRuleId }) => taxRuleId === id)?.name ?? 'Tax'
  return (
    <Card aria-label="Paid over">
      <CardHeader
        title="Paid over"
        action={
          <Button size="sm" onClick={() => setIsAdding(true)}>
            Tax paid over
          </Button>
        }
      />
      <CardBody>
        {remittances.length === 0 && <p className="text-muted">No tax was paid over in this year.</p>}
        <ul className="grid gap-3">
          {remittances.map(remittance => (
            <li key={remittance.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <span className="min-w-0 wrap-anywhere">
                {formatCents(remittance.amountCents)} of {nameOf(remittance.taxRuleId)}
                <span className="block text-sm text-muted">
                  {[formatShortDate(remittance.paidOn), remittance.reference].filter(Boolean).join(', ')}
                </span>
              </span>
              <Button size="sm" variant="ghost" onClick={() => setRemoved(remittance)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      </CardBody>
      {isAdding && <RemittanceDialog taxes={taxes} onClose={() => setIsAdding(false)} />}
      {removed && (
        <RemoveDialog
          name={`${formatCents(removed.amountCents)} of ${nameOf(removed.taxRuleId)}`}
          noun="Tax payment"
          body="The amount counts as not paid over again."
          remove={() => client.books.removeRemittance.mutate({ id: removed.id })}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Card>
  )
}

function RemittanceDialog({ onClose, taxes }: { taxes: Taxes; onClose: () => void }) {
  const note = api.books.noteRemittance.useMutation()
  const today = useToday()
  // One idempotency key per dialog, so that a retry does not note it twice.
  const [requestId] = useState(newId)
  const form = useZodForm(remittanceForm, {
    taxRuleId: taxes.length === 1 ? (taxes[0]?.taxRuleId ?? '') : '',
    paidOn: today,
    reference: '',
    requestId,
  })
  const submission = useDialogSubmit(form, 'Failed to note the tax payment', onClose, async remittance => {
    await note.mutateAsync(remittance)
    return 'Tax payment noted'
  })
  const field = fieldPropsOf(form)
  return (
    <FormDialog {...submission} title="Tax paid over" submitLabel="Save">
      <SelectField label="Tax" required {...field('taxRuleId')}>
        <option value="">Select a tax</option>
        {taxes.map(({ authority, name, taxRuleId }) => (
          <option key={taxRuleId} value={taxRuleId}>
            {name}, {authority}
          </option>
        ))}
      </SelectField>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField label="Amount" required min="0" {...field('amountCents', asCents)} />
        <TextField label="Paid on" type="date" required max={today} {...field('paidOn')} />
      </div>
      <TextField label="Reference" hint="Such as the number of the return." {...field('reference')} />
    </FormDialog>
  )
}

/** What the card provider reports for the year, and what leads from it to the income. */
export function CardTab({ year }: { year: number }) {
  const query = api.books.card.useQuery({ year })
  return (
    <QueryView query={query} loading={loading} error="Failed to load the card payments">
      {({ bridge, months, ...year }) => (
        <div className="grid grid-cols-1 gap-5">
          <MonthsTable
            title="1099-K"
            subtitle="Payments by card with their fee, by month in UTC; nothing is taken off"
            rows={figureRows(cardLabels, months, year)}
            format={(value, key) => (key === 'count' ? value : formatFigure(value))}
          />
          <Card aria-label="From the 1099-K to the income">
            <CardHeader title="From the 1099-K to the income" />
            <CardBody>
              <dl className="grid max-w-md gap-2 tabular-nums">
                {bridge.map(({ cents, key }) => (
                  <div
                    key={key}
                    className="flex justify-between gap-4 last:border-t last:border-line last:pt-2 last:font-semibold last:text-navy"
                  >
                    <dt>{bridgeLabels[key]}</dt>
                    <dd>{formatCents(cents)}</dd>
                  </div>
                ))}
              </dl>
            </CardBody>
          </Card>
        </div>
      )}
    </QueryView>
  )
}

export function OccupancyTab({ occupancy: { months, year } }: { occupancy: BookYear['occupancy'] }) {
  return (
    <MonthsTable
      title="Occupancy"
      subtitle="Booked here and elsewhere, of the nights that were not blocked"
      rows={figureRows(nightLabels, months, year)}
      format={(value, key) => (key === 'percent' ? `${value.toFixed(1)}%` : value)}
    />
  )
}
