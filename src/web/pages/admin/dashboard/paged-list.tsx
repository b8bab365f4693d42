import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import { useSearchParams } from 'wouter'
import { Button } from '../../../ui/button.tsx'

type PaginationProps = { page: number; pages: number; onPage: (page: number) => void }

export function Pagination({ page, pages, onPage }: PaginationProps) {
  if (pages <= 1) return null
  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3"
    >
      <Button size="sm" variant="secondary" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden />
        Previous
      </Button>
      <span className="text-muted tabular-nums">
        Page {page} of {pages}
      </span>
      <Button size="sm" variant="secondary" disabled={page >= pages} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden />
      </Button>
    </nav>
  )
}

/** How often the open dashboard checks for changes. */
export const pollIntervalMs = 30_000

/** A page number in the URL; an invalid one is the first page. */
export function readPage(address: URLSearchParams): number {
  const page = Number(address.get('page'))
  return Number.isInteger(page) && page >= 1 && page <= 1e6 ? page : 1
}

type PagedQuery = { page: number }
export type ChangeQuery<Query> = (change: Partial<Query>, options?: { replace: boolean }) => void

/** What a list shows, stored in the URL. A change starts from the first page. */
export function useListQuery<Query extends PagedQuery>(
  read: (address: URLSearchParams) => Query,
  write: (query: Query) => URLSearchParams,
): { query: Query; change: ChangeQuery<Query> } {
  const [address, setAddress] = useSearchParams()
  const query = read(address)
  return {
    query,
    change: (part, options) => setAddress(write({ ...query, page: 1, ...part }), options),
  }
}

/** The number of pages. If the only entry on the last page has gone, goes back to the page before. */
export function usePages<Query extends PagedQuery>(
  { query, change }: { query: Query; change: ChangeQuery<Query> },
  { total = 0, pageSize, isSettled }: { total: number | undefined; pageSize: number; isSettled: boolean },
): number {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  useEffect(() => {
    if (isSettled && query.page > pages) change({ page: pages } as Partial<Query>, { replace: true })
  })
  return pages
}
