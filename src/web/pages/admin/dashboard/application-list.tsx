import { keepPreviousData } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { plural } from '../../../../domain/common/plural.ts'
import { api } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { useReadAgain } from '../../../forms/change.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { DeleteApplicationDialog } from '../application/delete-application-dialog.tsx'
import { ApplicationsTable } from './applications-table.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { ListControls } from './list-controls.tsx'
import {
  type ListedApplication,
  type ListQuery,
  pageSize,
  readListQuery,
  writeListQuery,
} from './list-query.ts'
import { type ChangeQuery, Pagination, pollIntervalMs, useListQuery, usePages } from './paged-list.tsx'

const failedText = 'Failed to fetch applications'

/** The table of applications with search, filter and sorting. The server applies them, and the URL stores them. */
export function ApplicationList() {
  const { query, change, list, shown, rows, total, pages, isSettled } = useApplicationList()
  const { opening, timeZone } = useSite() ?? {}
  // Before the site opens there is nothing to search yet.
  const isNew = opening === 'never' && total === 0 && !isNarrowed(query)
  const refresh = useReadAgain()
  const [deleting, setDeleting] = useState<ListedApplication>()
  const selection = useSelection(writeListQuery(query).toString())

  return (
    <Card aria-label="Applications">
      {isNew ? (
        <CardHeader title="Application Management" />
      ) : (
        <ListControls query={query} onChange={change}>
          {/* Without a search the tab has the same count. */}
          <p
            role="status"
            className={classNames(
              'text-sm text-muted tabular-nums',
              query.search === '' && pages < 2 ? 'sr-only' : 'max-sm:pt-2',
            )}
          >
            {isSettled && total > 0 && shownRange(query, rows.length, total)}
          </p>
        </ListControls>
      )}
      {list.isError && list.data && <RefreshFailed onRetry={() => void list.refetch()} />}
      <QueryView
        query={{ ...list, data: timeZone ? shown : undefined }}
        loading={<TableSkeleton />}
        error={failedText}
        empty={data => data.applications.length === 0 && <NoApplications query={query} onChange={change} />}
      >
        {data => (
          <div
            aria-busy={list.isPlaceholderData}
            className={classNames('transition-opacity', list.isPlaceholderData && 'opacity-55')}
          >
            <ApplicationsTable
              rows={data.applications}
              selected={selection.ids}
              onSelect={selection.set}
              onDelete={setDeleting}
            />
          </div>
        )}
      </QueryView>
      <Pagination page={query.page} pages={pages} onPage={page => change({ page })} />
      <BulkActions
        selected={isSettled ? rows.filter(({ id }) => selection.ids.has(id)) : []}
        onClear={selection.clear}
        onDone={ids => {
          selection.set(ids, false)
          refresh()
        }}
      />
      {deleting && (
        <DeleteApplicationDialog
          application={deleting}
          onDeleted={refresh}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </Card>
  )
}

function useApplicationList() {
  const view = useListQuery(readListQuery, writeListQuery)
  const list = api.applications.adminList.useQuery(
    { ...view.query, limit: pageSize },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs },
  )
  // Renders the table at low priority, so that it does not block the rest of the page.
  const shown = useDeferredValue(list.data)
  const { applications: rows = [], total = 0 } = shown ?? {}
  const isSettled = shown !== undefined && shown === list.data && !list.isPlaceholderData
  const pages = usePages(view, { total, pageSize, isSettled })
  return { ...view, list, shown, rows, total, pages, isSettled }
}

function RefreshFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="alert" className="px-4 pt-2.5 text-[0.9375rem] text-red sm:px-5">
      {failedText}{' '}
      <button type="button" className="link" onClick={onRetry}>
        Try Again
      </button>
    </p>
  )
}

function NoApplications({ query, onChange }: { query: ListQuery; onChange: ChangeQuery<ListQuery> }) {
  const isFiltered = isNarrowed(query)
  return (
    <EmptyState
      icon={<Inbox />}
      title="No applications found"
      hint={
        isFiltered
          ? 'No application fits the search and the filter.'
          : 'Applications appear here as soon as a tenant submits one.'
      }
      action={
        isFiltered && (
          <Button variant="secondary" onClick={() => onChange({ search: '', status: undefined })}>
            Show all applications
          </Button>
        )
      }
    />
  )
}

const isNarrowed = ({ search, status }: ListQuery) => search !== '' || status !== undefined

/** `1–20 of 45 applications`. */
function shownRange({ page }: ListQuery, shown: number, total: number): string {
  if (total <= pageSize) return plural(total, 'application')
  const first = (page - 1) * pageSize + 1
  return `${first}–${first + shown - 1} of ${total} applications`
}

/** The selected ids in one view of the table: actions never apply to rows that are not shown. */
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
