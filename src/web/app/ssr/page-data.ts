import type { QueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { type Ask, api, type Outputs } from '../../api/api.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import type { PublicPath } from '../routing/public-pages.ts'

/** What a public page shows of the database and the settings; travels as JSON in the document. */
export type PageData = {
  site: Outputs['site']['get']
  rates?: Outputs['rates']['list']
  availability?: Outputs['availability']['range']
  contact?: Outputs['contact']['ready']
}

/** Asks what the page's own queries would ask. Rejects when one of them fails. */
export async function readPageData(path: PublicPath, ask: Ask): Promise<PageData> {
  const site = await ask.site.get()
  if (path === '/') {
    const [rates, availability] = await Promise.all([
      ask.rates.list(),
      ask.availability.range(firstWindow(site)),
    ])
    return { site, rates, availability }
  }
  return path === '/contact' ? { site, contact: await ask.contact.ready() } : { site }
}

/** Puts what the document brought along where the page's queries look first. `readAt`: when it was true, in ms. */
export function seedQueries(queries: QueryClient, data: PageData, readAt = Date.now()): void {
  const seed = (key: readonly unknown[], value: unknown) =>
    value !== undefined && queries.setQueryData(key, value, { updatedAt: readAt })
  seed(getQueryKey(api.site.get, undefined, 'query'), data.site)
  seed(getQueryKey(api.rates.list, undefined, 'query'), data.rates)
  seed(getQueryKey(api.availability.range, firstWindow(data.site), 'query'), data.availability)
  seed(getQueryKey(api.contact.ready, undefined, 'query'), data.contact)
}

/** The days that the home page's calendar asks for before anybody steps. */
const firstWindow = ({ site }: PageData['site']) => availabilityWindow(site.today.slice(0, 7))
