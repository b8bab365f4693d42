import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { api, type Outputs, type ServerCaller } from '../../api/api.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import type { PublicPath } from '../routing/public-pages.ts'

/** A public page's data, sent as JSON in the document. */
export type PageData = {
  site: Outputs['site']['get']
  rates?: Outputs['rates']['list']
  availability?: Outputs['availability']['range']
  contact?: Outputs['contact']['ready']
}

/** Loads what the page's own queries would load. Rejects when one of them fails. */
export async function readPageData(path: PublicPath, server: ServerCaller): Promise<PageData> {
  const site = await server.site.get()
  if (path === '/') {
    const [rates, availability] = await Promise.all([
      server.rates.list(),
      server.availability.range(firstWindow(site)),
    ])
    return { site, rates, availability }
  }
  return path === '/contact' ? { site, contact: await server.contact.ready() } : { site }
}

/** Fills the query cache with the document's data, read at `readAt` (ms). */
export function seedQueries(queries: QueryClient, data: PageData, readAt = Date.now()): void {
  const seed = (key: readonly unknown[], value: unknown) =>
    value !== undefined && queries.setQueryData(key, value, { updatedAt: readAt })
  seed(getQueryKey(api.site.get, undefined, 'query'), data.site)
  seed(getQueryKey(api.rates.list, undefined, 'query'), data.rates)
  seed(getQueryKey(api.availability.range, firstWindow(data.site), 'query'), data.availability)
  seed(getQueryKey(api.contact.ready, undefined, 'query'), data.contact)
}

/** The days that the home page's calendar loads first. */
const firstWindow = ({ site }: PageData['site']) => availabilityWindow(site.today.slice(0, 7))
