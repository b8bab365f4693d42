import { type DueFilter, dueFilters } from '../../../../domain/money/payment-plan.ts'

export const pageSize = 50

/** What the list shows; stored in the URL. */
export type DueQuery = { state: DueFilter | undefined; page: number }

export const filterLabels: Record<DueFilter, string> = {
  overdue: 'Overdue',
  due: 'Due today',
  upcoming: 'Upcoming',
  on_its_way: 'On its way',
}

/** Invalid parameters fall back to their defaults. */
export function readDueQuery(address: URLSearchParams): DueQuery {
  const page = Number(address.get('page'))
  return {
    state: dueFilters.find(state => state === address.get('state')),
    page: Number.isInteger(page) && page >= 1 && page <= 1e6 ? page : 1,
  }
}

export function writeDueQuery({ page, state }: DueQuery): URLSearchParams {
  return new URLSearchParams({ ...(state && { state }), ...(page > 1 && { page: String(page) }) })
}
