import {
  type ApplicationQuery,
  type ApplicationSort,
  applicationSorts,
  defaultPageSize,
} from '../../../../domain/bookings/application-query.ts'
import { submittedStatuses } from '../../../../domain/bookings/application-status.ts'
import type { Outputs } from '../../../api/api.ts'
import { paths } from '../../../routing/paths.ts'
import { readPage } from './paged-list.tsx'

/** What the table shows. It is stored in the URL, so that Back and shared links preserve it. */
export type ListQuery = Pick<ApplicationQuery, 'search' | 'sort' | 'order'> & {
  status: (typeof submittedStatuses)[number] | undefined
  page: number
}

export const pageSize = defaultPageSize

export const sortLabels: Record<ApplicationSort, string> = {
  createdAt: 'Date',
  firstName: 'Name',
  status: 'Status',
  totalAmount: 'Amount',
  upcoming: 'Upcoming first',
}

/** In this browser 'Upcoming first' stays chosen until another sorting is, for URLs without one (LOOK-83). */
const upcomingKey = 'upcoming-first'

function usualSort(): ApplicationSort {
  try {
    return typeof window !== 'undefined' && localStorage.getItem(upcomingKey) ? 'upcoming' : 'createdAt'
  } catch {
    return 'createdAt'
  }
}

export function rememberSort(sort: ApplicationSort): void {
  try {
    if (sort === 'upcoming') localStorage.setItem(upcomingKey, 'yes')
    else localStorage.removeItem(upcomingKey)
  } catch {
    // Storage is disabled; then the choice lasts as long as the URL.
  }
}

/** An invalid parameter falls back to its default. */
export function readListQuery(address: URLSearchParams): ListQuery {
  return {
    search: (address.get('search') ?? '').trim().slice(0, 200),
    status: submittedStatuses.find(status => status === address.get('status')),
    sort: applicationSorts.find(sort => sort === address.get('sort')) ?? usualSort(),
    order: address.get('order') === 'asc' ? 'asc' : 'desc',
    page: readPage(address),
  }
}

/** Defaults are omitted. */
export function writeListQuery({ search, status, sort, order, page }: ListQuery): URLSearchParams {
  const address = new URLSearchParams()
  if (search) address.set('search', search)
  if (status) address.set('status', status)
  if (sort !== usualSort()) address.set('sort', sort)
  if (order !== 'desc') address.set('order', order)
  if (page !== 1) address.set('page', String(page))
  return address
}

/** The URL of the dashboard with one status or all of them; search and sorting are kept. */
export function statusHref(
  status?: ListQuery['status'],
  query: ListQuery = readListQuery(new URLSearchParams()),
): string {
  const address = writeListQuery({ ...query, page: 1, status }).toString()
  return address ? `${paths.adminDashboard}?${address}` : paths.adminDashboard
}

export type ListedApplication = Outputs['applications']['adminList']['applications'][number]

export const nameOf = ({ firstName, lastName }: Pick<ListedApplication, 'firstName' | 'lastName'>) =>
  `${firstName} ${lastName}`

export const nameWithNumber = (
  row: Pick<ListedApplication, 'firstName' | 'lastName' | 'applicationNumber'>,
) => `${nameOf(row)}, ${row.applicationNumber}`

export const bulkActions = ['approve', 'decline', 'delete'] as const
export type BulkAction = (typeof bulkActions)[number]
/** The selected applications when the action was chosen: the table refreshes behind the dialog. */
export type BulkSelection = { action: BulkAction; selected: readonly ListedApplication[] }
export type BulkResult = { application: ListedApplication; error: string | undefined }
