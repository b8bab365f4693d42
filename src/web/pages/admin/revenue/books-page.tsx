import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import {
  balanceRows,
  depositLabels,
  isSumKey,
  lineLabels,
  monthNames,
  nameOfLine,
  nightLabels,
  taxLabels,
} from '../../../../domain/money/book-lines.ts'
import { api } from '../../../api/api.ts'
import { useTimeZone, useToday } from '../../../features/stays/today.ts'
import { ConfirmAction } from '../../../forms/confirm-action.tsx'
import { DownloadButton } from '../../../forms/download-button.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card, CardBody, CardHeader } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { AreaPage } from '../area.tsx'
import {
  type BookYear,
  CardTab,
  MonthsTable,
  MovementsDialog,
  OccupancyTab,
  type OpenFigure,
  TaxReports,
} from './books-tables.tsx'
import { MonthlyChart } from './monthly-revenue.tsx'

/** The yearly books, with what each figure is made of. */
export function BooksPage() {
  const currentYear = Number(useToday().slice(0, 4))
  const [year, setYear] = useState(currentYear)
  const query = api.books.year.useQuery({ year }, { placeholderData: keepPreviousData })
  const [isClosing, setIsClosing] = useState(false)
  const close = api.books.close.useMutation()
  return (
    <AreaPage
      area="revenue"
      subtitle="A deposit is income only when you keep it. The Revenue screen counts deposits when they come, so its figures differ."
      action={
        <>
          <SelectField
            label="Year"
            hideLabel
            className="w-28"
            value={year}
            onChange={event => setYear(Number(event.currentTarget.value))}
          >
            {(query.data?.years ?? [year]).toReversed().map(each => (
              <option key={each}>{each}</option>
            ))}
          </SelectField>
          <DownloadButton
            path={`/api/book/admin/pdf/${year}`}
            saveAs={`books-${year}.pdf`}
            failedText="Failed to download the PDF"
          >
            Download PDF
          </DownloadButton>
          {year < currentYear && (
            <Button variant="secondary" onClick={() => setIsClosing(true)}>
              Close {year}
            </Button>
          )}
        </>
      }
    >
      <QueryView query={query} loading={loading} error="Failed to load the books">
        {data => (
          <div
            aria-busy={query.isPlaceholderData}
            className={classNames(
              'grid grid-cols-1 gap-5 transition-opacity',
              query.isPlaceholderData && 'opacity-60',
            )}
          >
            <YearOfBooks data={data} />
          </div>
        )}
      </QueryView>
      {isClosing && (
        <ConfirmAction
          title={`Close ${year}?`}
          body="All tables of the year are kept as they are now. Nothing is locked: what changes later is shown here."
          confirmLabel={`Close ${year}`}
          busyLabel="Closing..."
          action={async () => {
            await close.mutateAsync({ year })
            return `${year} closed`
          }}
          failedText="Failed to close the year"
          onClose={() => setIsClosing(false)}
        />
      )}
    </AreaPage>
  )
}

const loading = (
  <div className="grid gap-5">
    <Skeleton className="h-92 w-full rounded-card" />
    <Skeleton className="h-120 w-full rounded-card" />
  </div>
)

type CsvButtonProps = { table: 'books' | 'taxes' | 'card' | 'lines'; year: number; label?: string }

/** Downloads the table of the open tab, or all movements. */
function CsvButton({ label = 'Download CSV', table, year }: CsvButtonProps) {
  return (
    <DownloadButton
      path={`/api/book/admin/csv/${year}?table=${table}`}
      saveAs={`${table}-${year}.csv`}
      failedText="Failed to download the CSV"
    >
      {label}
    </DownloadButton>
  )
}

/** The file of a tab; the others are in one. */
const csvOf: Record<string, CsvButtonProps['table']> = { taxes: 'taxes', card: 'card' }

function YearOfBooks({ data }: { data: BookYear }) {
  const timeZone = useTimeZone()
  const [open, setOpen] = useState<OpenFigure>()
  const [tab, setTab] = useState('income')
  const { closing, deposits, inDisputeCents, lines, taxes, unknownFees, year } = data
  const income = lines.find(({ key }) => key === 'income')?.months ?? []
  const isEmpty = lines.every(({ months }) => months.every(cents => cents === 0))
  return (
    <>
      {closing && <ChangesSinceClosing closing={closing} taxes={taxes} year={year} />}
      {inDisputeCents > 0 && (
        <Notice tone="warning">
          {formatCents(inDisputeCents)} is in dispute and still counted here. It is taken off in the month in
          which a dispute is lost.
        </Notice>
      )}
      {unknownFees > 0 && (
        <Notice>
          The card provider’s fee of {plural(unknownFees, 'payment')} is not known yet. The site keeps asking.
        </Notice>
      )}
      <Card aria-label="Income by month">
        <CardHeader
          title={`Income by month (${year})`}
          subtitle={
            closing && `Closed ${formatMomentDate(closing.closedAt, timeZone)}, version ${closing.version}`
          }
        />
        <CardBody>
          {isEmpty ? (
            <EmptyState title={`Nothing was received in ${year}.`} />
          ) : (
            <MonthlyChart
              months={income.map((cents, i) => ({
                month: `${year}-${String(i + 1).padStart(2, '0')}`,
                cents,
              }))}
              period=""
            />
          )}
        </CardBody>
      </Card>
      <Tabs
        label="Tables"
        value={tab}
        onValueChange={setTab}
        tabs={[
          {
            value: 'income',
            label: 'Income',
            content: <MonthsTable title="Income" rows={balanceRows(lines, lineLabels)} onOpen={setOpen} />,
          },
          {
            value: 'liabilities',
            label: 'Liabilities',
            content: (
              <MonthsTable
                title="Deposits"
                rows={balanceRows(deposits, depositLabels)}
                prefix="deposits."
                onOpen={setOpen}
              />
            ),
          },
          {
            value: 'taxes',
            label: 'Taxes',
            content: (
              <div className="grid grid-cols-1 gap-5">
                {taxes.map(({ authority, lines, name, taxRuleId }) => (
                  <MonthsTable
                    key={taxRuleId}
                    title={`${name}, ${authority}`}
                    rows={balanceRows(lines, taxLabels)}
                    prefix={`taxes.${taxRuleId}.`}
                    onOpen={setOpen}
                  />
                ))}
                <TaxReports year={year} taxes={taxes} />
              </div>
            ),
          },
          { value: 'card', label: '1099-K', content: <CardTab year={year} /> },
          { value: 'occupancy', label: 'Occupancy', content: <OccupancyTab occupancy={data.occupancy} /> },
        ]}
      />
      <div className="flex flex-wrap gap-3">
        <CsvButton table={csvOf[tab] ?? 'books'} year={year} />
        <CsvButton table="lines" year={year} label="Download all movements, with names" />
      </div>
      {open && <MovementsDialog figure={open} year={year} onClose={() => setOpen(undefined)} />}
    </>
  )
}

type Closing = NonNullable<BookYear['closing']>
type Difference = Closing['differences'][number]

/** What has changed since the year was closed (BOOK-24). */
function ChangesSinceClosing({
  closing,
  taxes,
  year,
}: Pick<BookYear, 'taxes' | 'year'> & { closing: Closing }) {
  const changes = closing.differences.filter(
    ({ key, table }) => table !== 'report' && !isSumKey(key.slice(key.lastIndexOf('.') + 1)),
  )
  if (closing.differences.length === 0) return null
  const nameOf = ({ key, table }: Difference) => {
    if (table === 'occupancy') return nightLabels[key as keyof typeof nightLabels]
    if (table === 'card') return key === 'count' ? 'Card payments' : '1099-K'
    return nameOfLine(taxes)(table === 'lines' ? key : `${table}.${key}`)
  }
  const value = ({ key, table }: Difference, cents: number) =>
    table === 'occupancy' || key === 'count' ? String(cents) : formatCents(cents)
  return (
    <Notice
      tone="warning"
      title={`${plural(changes.length, 'figure')} of ${year} changed since it was closed`}
    >
      <Disclosure summary="Show the changes">
        <ul className="grid gap-1 text-[0.9375rem]">
          {changes.map(change => (
            <li key={`${change.table} ${change.key} ${change.month}`}>
              {nameOf(change)}, {monthNames[change.month - 1]}: {value(change, change.thenCents)} then,{' '}
              {value(change, change.nowCents)} now
            </li>
          ))}
        </ul>
      </Disclosure>
    </Notice>
  )
}
