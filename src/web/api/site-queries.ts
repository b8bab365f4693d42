import { queryOptions } from '@tanstack/react-query'
import type { ContentPage } from '../../domain/content-views.ts'
import type { Calls } from './client.ts'
import { loadCalls } from './load-calls.ts'

/**
 * Queries that many screens need. Public pages have the data in their documents and run them without loading the `api`
 * code.
 */
export const siteQueries = {
  site: () => query('site.get', undefined, calls => calls.site.get.query()),
  content: (page: ContentPage) =>
    query('site.content', { page }, calls => calls.site.content.query({ page })),
  rates: () => query('rates.list', undefined, calls => calls.rates.list.query()),
}

/** The query key that `api` uses for a procedure. */
export function queryKeyOf(procedure: string, input?: unknown): readonly unknown[] {
  return [procedure.split('.'), { ...(input !== undefined && { input }), type: 'query' }]
}

function query<Answer>(procedure: string, input: object | undefined, ask: (calls: Calls) => Promise<Answer>) {
  return queryOptions({ queryKey: queryKeyOf(procedure, input), queryFn: () => loadCalls().then(ask) })
}
