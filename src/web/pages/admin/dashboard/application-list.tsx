import { keepPreviousData } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'wouter'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeleteApplicationDialog } from '../delete-application-dialog.tsx'
import { ApplicationsTable, type ListedApplication } from './applications-table.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { ListControls } from './list-controls.tsx'
import { type ListQuery, pageSize, readListQuery, writeListQuery } from './list-query.ts'
import { PageSteps } from './page-steps.tsx'
import { refreshMs } from './refresh.ts'

const failedText = 'Failed to fetch applications'

/** The table with all that narrows and orders it. The server does both; the address keeps them. */
export function ApplicationList() {
  const [address, setAddress] = useSearchParams()
  const query = readListQuery(address)
  const change = (part: Partial<ListQuery>, options?: { replace: boolean }) =>
    setAddress(writeListQuery({ ...query, page: 1, ...part }), options)

  const timeZone = useSite()?.timeZone
  const list = api.applications.adminList.useQuery(
    { ...query, limit: pageSize },
    { placeholderData: keepPreviousData, refetchInterval: refreshMs },
  )
  const utils = api.useUtils()
  const refresh = () => {
    void utils.applications.invalidate()
    void utils.payments.invalidate()
  }

  const rows = list.data?.applications ?? []
  const total = list.data?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const settled = list.data !== undefined && !list.isPlaceholderData
  // The last page is gone when its only application was deleted.
  useEffect(() => {
    if (settled && query.page > pages)
      setAddress(writeListQuery({ ...query, page: pages }), { replace: true })
  })

  const [deleting, setDeleting] = useState<ListedApplication>()
  const selection = useSelection(writeListQuery(query).toString())
  const selected = settled ? rows.filter(({ id }) => selection.ids.has(id)) : []

  return (
    <Card aria-label="Applications">
      <ListControls query={query} onChange={change} />
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2">
        <p role="status" className="text-[0.9375rem] text-muted tabular-nums">
          {settled && total > 0 && shownRange(query, rows.length, total, list.data?.hasMore)}
        </p>
        {list.isError && list.data && (
          <p role="alert" className="text-[0.9375rem] text-red">
            {failedText}{' '}
            <button type="button" className="link" onClick={() => void list.refetch()}>
              Try Again
            </button>
          </p>
        )}
        <BulkActions
          selected={selected}
          onClear={selection.clear}
          onDone={ids => {
            selection.set(ids, false)
            refresh()
          }}
        />
      </div>
      <QueryView
        query={timeZone ? list : { ...list, data: undefined }}
        loading={<TableSkeleton />}
        error={failedText}
        empty={data =>
          data.applications.length === 0 && (
            <EmptyState
              icon={<Inbox />}
              title="No applications found"
              hint={
                isNarrowed(query)
                  ? 'No application fits the search and the filter.'
                  : 'Applications appear here as soon as a tenant submits one.'
              }
              action={
                isNarrowed(query) && (
                  <Button variant="secondary" onClick={() => change({ search: '', status: undefined })}>
                    Show all applications
                  </Button>
                )
              }
            />
          )
        }
      >
        {data => (
          <div
            aria-busy={list.isPlaceholderData}
            className={classNames(
              'max-sm:px-3 max-sm:pb-3 transition-opacity',
              list.isPlaceholderData && 'opacity-55',
            )}
          >
            <ApplicationsTable
              rows={data.applications}
              timeZone={timeZone ?? 'UTC'}
              selected={selection.ids}
              onSelect={selection.set}
              onDelete={setDeleting}
            />
          </div>
        )}
      </QueryView>
      <PageSteps page={query.page} pages={pages} onPage={page => change({ page })} />
      {deleting && (
        <DeleteApplicationDialog
          application={deleting}
          onDeleted={() => {
            setDeleting(undefined)
            refresh()
          }}
          onCancel={() => setDeleting(undefined)}
        />
      )}
    </Card>
  )
}

const isNarrowed = ({ search, status }: ListQuery) => search !== '' || status !== undefined

/** Of a search that finds very many only so many are shown: the newest, or the oldest when those come first. */
function shownRange({ order, page, sort }: ListQuery, shown: number, total: number, hasMore = false): string {
  if (total <= pageSize) return `${total} ${total === 1 ? 'application' : 'applications'}`
  const first = (page - 1) * pageSize + 1
  const range = `${first}–${first + shown - 1} of`
  if (!hasMore) return `${range} ${total} applications`
  return `${range} the ${sort === 'createdAt' && order === 'asc' ? 'oldest' : 'newest'} ${total} that match`
}

/** The selected ids, for one view of the table alone: what is out of sight is never acted on. */
function useSelection(view: string) {
  const [state, setState] = useState<{ view: string; ids: ReadonlySet<string> }>({ view, ids: new Set() })
  const ids = state.view === view ? state.ids : new Set<string>()
  return {
    ids,
    clear: () => setState({ view, ids: new Set() }),
    set: (changed: readonly string[], selected: boolean) => {
      const next = new Set(ids)
      for (const id of changed) {
        if (selected) next.add(id)
        else next.delete(id)
      }
      setState({ view, ids: next })
    },
  }
}

const TableSkeleton = () => (
  <div className="grid gap-3 px-4 pb-4">
    {[1, 2, 3, 4, 5, 6].map(row => (
      <Skeleton key={row} className="h-13 w-full" />
    ))}
  </div>
)
