import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { Spinner } from './spinner.tsx'

/** The part of a TanStack query's result that the view needs. */
export type QueryLike<T> = {
  data: T | undefined
  isPending: boolean
  isError: boolean
  refetch: () => unknown
}

type QueryViewProps<T> = {
  query: QueryLike<T>
  /** A sentence beside a spinner, or a skeleton of what will come. */
  loading: ReactNode
  /** A sentence above 'Try Again', or the whole error state. */
  error?: ReactNode
  /** Shown instead of the content; falsy when there is content. */
  empty?: (data: T) => ReactNode
  children: (data: T) => ReactNode
}

/** Loading, error, empty or content. Data that is there stays when a refresh in the background fails. */
export function QueryView<T>({
  query,
  loading,
  error = 'Something went wrong. Please try again.',
  empty,
  children,
}: QueryViewProps<T>) {
  if (query.data !== undefined) return empty?.(query.data) || children(query.data)
  if (query.isError) {
    return typeof error === 'string' ? <ErrorState message={error} onRetry={() => query.refetch()} /> : error
  }
  if (typeof loading === 'string') return <Spinner label={loading} />
  return (
    <div role="status" className="contents">
      <span className="sr-only">Loading...</span>
      {loading}
    </div>
  )
}
