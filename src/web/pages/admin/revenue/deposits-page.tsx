import { keepPreviousData } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { Link } from 'wouter'
import { formatLongDate } from '../../../../domain/common/dates.ts'
import { formatCents } from '../../../../domain/common/money.ts'
import {
  daysText,
  deadlineTexts,
  depositStateLabels,
  depositStates,
} from '../../../../domain/money/deposit-case.ts'
import { api } from '../../../api/api.ts'
import { depositTones, type OwnerDeposit } from '../../../features/deposits/deposit-view.ts'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { SelectField } from '../../../ui/choice-fields.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { AreaPage } from '../area.tsx'
import { pollIntervalMs, useListQuery } from '../dashboard/paged-list.tsx'

/** All deposits by their next date. The URL stores the filter. */
export function DepositsPage() {
  const { change, query } = useListQuery(readQuery, writeQuery)
  const { state } = query
  const list = api.deposits.list.useQuery(
    { state },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
  return (
    <AreaPage area="revenue" subtitle="What is held, and until when it must be returned or claimed">
      <QueryView
        query={list}
        loading={<Skeleton className="h-96 w-full rounded-card" />}
        error="Failed to load the deposits"
      >
        {({ deposits }) => (
          <Card aria-label="Deposits" aria-busy={list.isPlaceholderData}>
            <div className="border-b border-line px-4 py-3">
              <SelectField
                label="Show"
                className="sm:w-48"
                value={state ?? ''}
                onChange={({ target }) => change({ state: stateOf(target.value) })}
              >
                <option value="">All deposits</option>
                {depositStates.map(each => (
                  <option key={each} value={each}>
                    {depositStateLabels[each]}
                  </option>
                ))}
              </SelectField>
            </div>
            {deposits.length > 0 ? (
              <div
                className={classNames(
                  'transition-opacity max-sm:p-3',
                  list.isPlaceholderData && 'opacity-60',
                )}
              >
                <DataTable
                  dense
                  caption="Deposits"
                  columns={columns}
                  rows={deposits}
                  rowKey={({ applicationId }) => applicationId}
                />
              </div>
            ) : state ? (
              <EmptyState
                icon={<Landmark />}
                title="No deposits found"
                hint={`No deposit is “${depositStateLabels[state]}”.`}
                action={
                  <Button variant="secondary" onClick={() => change({ state: undefined })}>
                    Show all deposits
                  </Button>
                }
              />
            ) : (
              <EmptyState icon={<Landmark />} title="No deposit has been paid." />
            )}
          </Card>
        )}
      </QueryView>
    </AreaPage>
  )
}

const columns: readonly Column<OwnerDeposit>[] = [
  {
    key: 'guest',
    header: 'Guest',
    hideLabelOnCard: true,
    cell: ({ applicationId, applicationNumber, tenantName }) => (
      <>
        <Link href={paths.adminApplication(applicationId)} className="font-semibold wrap-anywhere link">
          {tenantName}
        </Link>
        <span className="block text-sm whitespace-nowrap text-muted">{applicationNumber}</span>
      </>
    ),
  },
  {
    key: 'next',
    header: 'Next date',
    cell: ({ deadline }) =>
      deadline ? (
        <>
          <span className={classNames('block', deadline.daysLeft < 0 && 'font-semibold text-red')}>
            {formatLongDate(deadline.date)}
          </span>
          <span className="block text-sm text-muted">
            {deadlineTexts[deadline.kind].toDo} · {daysText(deadline.daysLeft)}
          </span>
        </>
      ) : (
        '–'
      ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => <Badge tone={depositTones[state]}>{depositStateLabels[state]}</Badge>,
  },
  {
    key: 'held',
    header: 'Held',
    align: 'right',
    cell: ({ disputedCents, heldCents }) => (
      <>
        {formatCents(heldCents)}
        {disputedCents > 0 && (
          <span className="block text-sm text-muted">{formatCents(disputedCents)} disputed</span>
        )}
      </>
    ),
  },
]

type Query = { state: OwnerDeposit['state'] | undefined; page: number }

const stateOf = (text: string | null) => depositStates.find(state => state === text)
const readQuery = (address: URLSearchParams): Query => ({ state: stateOf(address.get('state')), page: 1 })
const writeQuery = ({ state }: Query) => new URLSearchParams(state && { state })
