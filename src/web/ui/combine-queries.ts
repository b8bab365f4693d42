import type { QueryLike } from './query-view.tsx'

/** Combines two queries for a view that needs both. */
export function combineQueries<A, B>(a: QueryLike<A>, b: QueryLike<B>): QueryLike<A & B> {
  return {
    data: a.data !== undefined && b.data !== undefined ? { ...a.data, ...b.data } : undefined,
    isPending: a.isPending || b.isPending,
    isError: a.isError || b.isError,
    refetch: () => [a, b].filter(({ isError }) => isError).map(query => query.refetch()),
  }
}
