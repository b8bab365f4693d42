import { queryOptions } from '@tanstack/react-query'
import type { ContentPage } from '../../domain/content/public-pages.ts'
import type { ApiClient } from './client.ts'
import { loadApiClient } from './load-client.ts'

/**
 * Queries that many screens need. Public pages have the data in their documents and run them without loading the `api`
 * code.
 */
export const siteQueries = {
  site: () => query('site.get', undefined, client => client.site.get.query()),
  content: (page: ContentPage) =>
    query('site.content', { page }, client => client.site.content.query({ page })),
  rates: () => query('rates.list', undefined, client => client.rates.list.query()),
}

/** The query key that `api` uses for a procedure. */
export function queryKeyOf(procedure: string, input?: unknown): readonly unknown[] {
  return [procedure.split('.'), { ...(input !== undefined && { input }), type: 'query' }]
}

/** The key of a contact form's outcome, which is only in the document that answers it. */
export const contactReplyKey = ['contact-reply'] as const

function query<Data>(
  procedure: string,
  input: object | undefined,
  ask: (client: ApiClient) => Promise<Data>,
) {
  return queryOptions({ queryKey: queryKeyOf(procedure, input), queryFn: () => loadApiClient().then(ask) })
}
