import { ChevronLeft, ChevronRight } from 'lucide-react'
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
