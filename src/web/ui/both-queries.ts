import type { QueryLike } from './query-view.tsx'

/** Two queries that a view needs both. */
export function bothQueries<A, B>(a: QueryLike<A>, b: QueryLike<B>): QueryLike<A & B> {
  return {
    data: a.data !== undefined && b.data !== undefined ? { ...a.data, ...b.data } : undefined,
    isPending: a.isPending || b.isPending,
    isError: a.isError || b.isError,
    refetch: () => [a, b].filter(({ isError }) => isError).map(query => query.refetch()),
  }
}
