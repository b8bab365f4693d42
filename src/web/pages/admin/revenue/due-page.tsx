import { keepPreviousData } from '@tanstack/react-query'
import { CalendarDays } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { isRemindedIn, writeToGuest } from '../../../../domain/bookings/next-step.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { type DueFilter, dueFilters } from '../../../../domain/money/payment-plan.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { planColumns } from '../../../features/payments/plan-table.tsx'
import { paths } from '../../../routing/paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { StatCard } from '../../../ui/stat-card.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { AreaPage } from '../area.tsx'
import { NoticeList, useBoard } from '../dashboard/notice-board.tsx'
import {
  type ChangeQuery,
  Pagination,
  pollIntervalMs,
  readPage,
  useListQuery,
  usePages,
} from '../dashboard/paged-list.tsx'

const ReminderDialog = lazy(() => import('./reminder-dialog.tsx').then(m => ({ default: m.ReminderDialog })))

type Due = Outputs['plans']['due']

/** The payments of signed bookings that are due within 30 days. The URL stores the filter and the page. */
export function DuePage() {
  const view = useListQuery(readDueQuery, writeDueQuery)
  const { query, change } = view
  const list = api.plans.due.useQuery(
    { ...query, limit: pageSize },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
  const isSettled = list.data !== undefined && !list.isPlaceholderData
  const pages = usePages(view, { total: list.data?.total, pageSize, isSettled })
  return (
    <AreaPage area="revenue" subtitle="Open payments of signed bookings, up to 30 days ahead">
      <QueryView query={list} loading={loading} error="Failed to load what is due">
        {data => (
          <div
            aria-busy={list.isPlaceholderData}
            className={classNames(
              'grid grid-cols-1 gap-5 transition-opacity',
              list.isPlaceholderData && 'opacity-60',
            )}
          >
            <BankNotices notices={data.notices} />
            {data.total > 1 && <Totals totals={data.totals} />}
            <DueCard data={data} query={query} pages={pages} onChange={change} />
          </div>
        )}
      </QueryView>
    </AreaPage>
  )
}

/** Only the sums of which there is something (LOOK-85). */
function Totals({ totals }: Pick<Due, 'totals'>) {
  const sums = [
    ['Overdue', totals.overdueCents],
    ['Due today', totals.dueCents],
    ['Next 30 days', totals.next30Cents],
    ['On its way', totals.onItsWayCents],
  ] as const
  return (
    <div className="flex flex-wrap gap-3 empty:hidden *:min-w-40 *:grow sm:gap-4 sm:*:max-w-80">
      {sums.map(
        ([label, cents]) => cents > 0 && <StatCard key={label} label={label} value={formatCents(cents)} />,
      )}
    </div>
  )
}

type DueCardProps = { data: Due; query: DueQuery; pages: number; onChange: ChangeQuery<DueQuery> }

function DueCard({ data: { instalments, total }, query, pages, onChange }: DueCardProps) {
  const [reminded, setReminded] = useState<Row>()
  const { figures, tasks } = api.notices.ownerDay.useQuery().data ?? {}
  const restCents = figures?.notListedCents ?? 0
  return (
    <Card aria-label="Payments">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 border-b border-line px-3 py-3 sm:px-6">
        <SelectField
          label="Show"
          className="sm:w-48"
          value={query.state ?? ''}
          onChange={({ target }) => onChange({ state: dueFilters.find(state => state === target.value) })}
        >
          <option value="">All payments</option>
          {dueFilters.map(state => (
            <option key={state} value={state}>
              {filterLabels[state]}
            </option>
          ))}
        </SelectField>
        <p role="status" className="py-2.5 text-[0.9375rem] text-muted tabular-nums">
          {total > 0 && plural(total, 'payment')}
        </p>
      </div>
      {instalments.length === 0 ? (
        <NothingDue state={query.state} onShowAll={() => onChange({ state: undefined })} />
      ) : (
        <div className="max-sm:p-3">
          <DataTable
            dense
            // On a phone: name and amount, then payment and state, then due date.
            cardClassName="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:gap-x-4"
            caption="What is due"
            columns={[...columns, reminderColumn(instalments, tasks, setReminded)]}
            rows={instalments}
            rowKey={({ id }) => id}
            // On a small tablet, six columns fit only with less padding.
            className="sm:max-lg:[&_td]:px-2 sm:max-lg:[&_th]:px-2"
          />
        </div>
      )}
      {restCents > 0 && (
        <p className="border-t border-line px-3 py-3 text-[0.9375rem] text-muted sm:px-6">
          Not in this list: {formatCents(restCents)} that is due later, waits for a signature or has no
          payment plan.
        </p>
      )}
      <Pagination page={query.page} pages={pages} onPage={page => onChange({ page })} />
      <Suspense>
        {reminded && (
          <ReminderDialog
            applicationId={reminded.applicationId}
            name={reminded.tenantName}
            onClose={() => setReminded(undefined)}
          />
        )}
      </Suspense>
    </Card>
  )
}

function NothingDue({ state, onShowAll }: { state: DueQuery['state']; onShowAll: () => void }) {
  if (!state) return <EmptyState icon={<CalendarDays />} title="Nothing is due in the next 30 days." />
  return (
    <EmptyState
      icon={<CalendarDays />}
      title="No payments found"
      hint={`Nothing in the list is “${filterLabels[state]}”.`}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          Show all payments
        </Button>
      }
    />
  )
}

/** The position of each column on a card. */
const onCard: Record<string, { hideLabelOnCard: true; className: string }> = {
  payment: { hideLabelOnCard: true, className: 'wrap-anywhere sm:min-w-32' },
  amount: { hideLabelOnCard: true, className: 'max-sm:-order-1 max-sm:justify-end' },
  due: { hideLabelOnCard: true, className: 'max-sm:order-1 max-sm:text-muted sm:whitespace-nowrap' },
  status: { hideLabelOnCard: true, className: 'max-sm:justify-end max-sm:text-right' },
}

type Row = Due['instalments'][number]

/** One button for all that a guest has due. */
const reminderColumn = (
  rows: readonly Row[],
  tasks: Parameters<typeof isRemindedIn>[0],
  onRemind: (row: Row) => void,
): Column<Row> => ({
  key: 'reminder',
  header: 'Reminder',
  align: 'right',
  hideLabelOnCard: true,
  className: 'max-sm:order-2 max-sm:col-span-2 max-sm:has-[>div:empty]:hidden',
  cell: row => {
    const isDue = ({ state }: Row) => state === 'overdue' || state === 'due'
    const first = rows.find(other => other.applicationId === row.applicationId && isDue(other))
    if (first?.id !== row.id) return false
    return isRemindedIn(tasks, row.applicationId) ? (
      <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1">
        <span className="text-sm text-muted">Reminded today</span>
        <Button asChild size="sm" variant="secondary">
          <Link
            href={paths.adminApplication(row.applicationId, 'write')}
            aria-label={`Write to ${row.tenantName}`}
          >
            {writeToGuest}
          </Link>
        </Button>
      </span>
    ) : (
      <Button
        size="sm"
        variant="secondary"
        aria-label={`Send reminder to ${row.tenantName}`}
        onClick={() => onRemind(row)}
      >
        Send reminder
      </Button>
    )
  },
})

const columns: readonly Column<Row>[] = [
  {
    key: 'guest',
    header: 'Guest',
    hideLabelOnCard: true,
    className: 'max-sm:-order-1 sm:min-w-32',
    cell: ({ applicationId, applicationNumber, tenantName }) => (
      <>
        <Link href={paths.adminApplication(applicationId)} className="font-semibold wrap-anywhere link">
          {tenantName}
        </Link>
        <span className="block text-sm whitespace-nowrap text-muted">{applicationNumber}</span>
      </>
    ),
  },
  ...planColumns.map(column => ({ ...column, ...onCard[column.key] })),
]

const loading = (
  <div className="grid gap-5">
    <div className="grid grid-cols-2 gap-3 sm:gap-4 xl:grid-cols-4">
      {[1, 2, 3, 4].map(card => (
        <Skeleton key={card} className="h-22 w-full rounded-card" />
      ))}
    </div>
    <Skeleton className="h-96 w-full rounded-card" />
  </div>
)

type BankNotice = Due['notices'][number]

/** Notices about bank payments, with their actions. */
function BankNotices({ notices }: { notices: readonly BankNotice[] }) {
  const board = useBoard(notices.length > 0).data?.notices ?? []
  const actionOf = ({ id }: BankNotice) => board.find(notice => notice.id === id)?.action ?? null
  return <NoticeList notices={notices.map(notice => ({ ...notice, action: actionOf(notice) }))} />
}

const pageSize = 50

/** What the list shows; stored in the URL. */
type DueQuery = { state: DueFilter | undefined; page: number }

const filterLabels: Record<DueFilter, string> = {
  overdue: 'Overdue',
  due: 'Due today',
  upcoming: 'Upcoming',
  on_its_way: 'On its way',
}

/** Invalid parameters fall back to their defaults. */
export function readDueQuery(address: URLSearchParams): DueQuery {
  return {
    state: dueFilters.find(state => state === address.get('state')),
    page: readPage(address),
  }
}

export function writeDueQuery({ page, state }: DueQuery): URLSearchParams {
  return new URLSearchParams({ ...(state && { state }), ...(page > 1 && { page: String(page) }) })
}
