import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { useScreenPart } from './screen-parts.tsx'
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
  /** A text next to a spinner, or a skeleton of the content. */
  loading: ReactNode
  /** A text above 'Try Again', or a complete error state. */
  error?: ReactNode
  /** Rendered instead of the content if it returns something. */
  empty?: (data: T) => ReactNode
  children: (data: T) => ReactNode
}

/** Shows loading, error, empty state or content. Existing data stays visible if a background refetch fails. */
export function QueryView<T>({
  query,
  loading,
  error = 'Something went wrong. Please try again.',
  empty,
  children,
}: QueryViewProps<T>) {
  useScreenPart(query)
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
