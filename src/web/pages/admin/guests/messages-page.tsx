import { keepPreviousData } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatShortStay } from '../../../../domain/common/stay.ts'
import { threadFilters, threadsPerPage } from '../../../../domain/conversations/message.ts'
import { api, type Outputs } from '../../../api/api.ts'
import { useSite } from '../../../api/site.ts'
import { RelativeTime } from '../../../features/stays/relative-time.tsx'
import { useDebounced } from '../../../forms/use-debounced.ts'
import { LinkTabs } from '../../../routing/link-tabs.tsx'
import { paths } from '../../../routing/paths.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Pagination, pollIntervalMs, readPage, useListQuery } from '../dashboard/paged-list.tsx'
import { SwitchedOff } from './switched-off.tsx'

const labels = { waiting: 'Waiting', unread: 'Unread', all: 'All' }
type ListQuery = { filter: (typeof threadFilters)[number]; q: string; page: number }

const read = (address: URLSearchParams): ListQuery => ({
  filter: threadFilters.find(filter => filter === address.get('show')) ?? 'all',
  q: address.get('q') ?? '',
  page: readPage(address),
})
const write = ({ filter, page, q }: ListQuery) =>
  new URLSearchParams({ show: filter, ...(q && { q }), ...(page > 1 && { page: String(page) }) })

/** The owner's conversations: those that wait first. The URL stores what is shown. */
export function MessagesPage() {
  const { change, query } = useListQuery(read, write)
  const site = useSite()
  const isOn = Boolean(site?.forGuests?.includes('messages'))
  const q = useDebounced(query.q)
  const list = api.conversations.adminThreads.useQuery(
    { ...query, q },
    { placeholderData: keepPreviousData, refetchInterval: pollIntervalMs, enabled: isOn },
  )
  const counts = list.data?.counts
  const tabs = threadFilters.map(filter => ({
    href: `${paths.adminMessages}?${write({ ...query, filter, page: 1 })}`,
    isCurrent: filter === query.filter,
    content: counts ? `${labels[filter]} (${counts[filter]})` : labels[filter],
  }))
  return (
    <Page
      title="Messages"
      width="narrow"
      tabs={isOn && <LinkTabs label="Messages" tabs={tabs} className="mb-6 border-b border-line" />}
    >
      {isOn && (
        <TextField
          label={<span className="sr-only">Search messages</span>}
          type="search"
          placeholder="Name, number or words"
          maxLength={100}
          className="mb-5"
          value={query.q}
          onChange={({ target }) => change({ q: target.value }, { replace: true })}
        />
      )}
      {site && !isOn ? (
        <Card>
          <SwitchedOff what="Messages" />
        </Card>
      ) : (
        <QueryView query={list} loading="Loading messages..." error="Failed to load messages">
          {({ threads }) => (
            <Card aria-label="Conversations">
              {threads.length === 0 && (
                <EmptyState title={counts?.all ? 'Nothing found' : 'No messages yet'} />
              )}
              <ul className="divide-y divide-line">
                {threads.map(thread => (
                  <ThreadRow key={thread.applicationId} {...thread} />
                ))}
              </ul>
              <Pagination
                page={query.page}
                pages={threads.length < threadsPerPage ? query.page : query.page + 1}
                onPage={page => change({ page })}
              />
            </Card>
          )}
        </QueryView>
      )}
    </Page>
  )
}

function ThreadRow(thread: Outputs['conversations']['adminThreads']['threads'][number]) {
  const { applicationId, applicationNumber, endDate, found, last, startDate, tenantName, unread } = thread
  const stay = formatShortStay({ start: startDate, end: endDate })
  return (
    <li>
      <Link
        href={`${paths.adminMessages}/${applicationId}`}
        className="grid gap-0.5 px-4 py-3 hover:bg-shell sm:px-6"
      >
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
          <span className="font-semibold wrap-anywhere text-navy">{tenantName}</span>
          <span className="flex items-center gap-2 text-sm text-muted">
            {thread.waiting && <Badge tone="yellow">Waiting</Badge>}
            {unread > 0 && <Badge tone="blue">{unread} unread</Badge>}
            <RelativeTime at={last.at} />
          </span>
        </span>
        <span className="text-sm text-muted">
          {stay} · {applicationNumber}
        </span>
        <span className="truncate">
          {last.side === 'owner' && !found && 'You: '}
          {(found ?? last).text || 'A file'}
        </span>
      </Link>
    </li>
  )
}
