import type { QueryClient } from '@tanstack/react-query'
import type { ContactReply } from '../../../domain/content/contact-messages.ts'
import { isPublicPath, publicPages } from '../../../domain/content/public-pages.ts'
import type { Outputs, ServerCaller } from '../../api/api.ts'
import { contactReplyKey, queryKeyOf } from '../../api/site-queries.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import { firstMonth } from '../../features/stays/first-month.ts'

/** The data that every document contains as JSON. */
export type SiteData = { site: Outputs['site']['get'] }
/** The data in the document of a public page of an open site. */
export type PageData = SiteData & {
  content: Outputs['site']['content']
  rates?: Outputs['rates']['list']
  /** The days around the months (YYYY-MM) that the home page's calendar loads first. */
  availability?: (readonly [month: string, Outputs['availability']['range']])[]
  contact?: Outputs['contact']['ready']
  /** In the response to a contact form that the browser sent itself. */
  contactReply?: ContactReply
  /** The token of a draft preview. Its texts are not fetched again. */
  preview?: string
}

/** Loads the data for a public page's queries; for other screens only the site's. Rejects if a query fails. */
export async function readPage(path: string, server: ServerCaller): Promise<SiteData | PageData> {
  if (!isPublicPath(path)) return { site: await server.site.get() }
  const page = publicPages[path]
  const site = await server.site.get()
  if (site.site.opening !== 'open') return { site }
  const content = await server.site.content({ page })
  if (path === '/') {
    const around = async (month: string) =>
      [month, await server.availability.range(availabilityWindow(month))] as const
    const { today } = site.site
    const [rates, now] = await Promise.all([server.rates.list(), around(today.slice(0, 7))])
    const [thisMonth, { availability }] = now
    const opening = firstMonth(today, availabilityWindow(thisMonth).endDate, availability, rates.rates)
    return {
      site,
      content,
      rates,
      availability: opening === thisMonth ? [now] : [now, await around(opening)],
    }
  }
  return path === '/contact' ? { site, content, contact: await server.contact.ready() } : { site, content }
}

/** Fills the query cache with the document's data, which was read at `readAt` (ms). */
export function seedQueries(
  queries: QueryClient,
  data: SiteData & Partial<PageData>,
  readAt = Date.now(),
): void {
  const seed = (key: readonly unknown[], value: unknown) =>
    value !== undefined && queries.setQueryData(key, value, { updatedAt: readAt })
  const { content } = data
  const words = [
    [queryKeyOf('site.get'), data.site],
    ...(content ? [[queryKeyOf('site.content', { page: content.page }), content] as const] : []),
  ] as const
  for (const [key, value] of words) {
    if (data.preview !== undefined) queries.setQueryDefaults(key, neverAskedAgain)
    seed(key, value)
  }
  seed(queryKeyOf('rates.list'), data.rates)
  for (const [month, days] of data.availability ?? [])
    seed(queryKeyOf('availability.range', availabilityWindow(month)), days)
  seed(queryKeyOf('contact.ready'), data.contact)
  seed(contactReplyKey, data.contactReply)
}

const neverAskedAgain = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  refetchOnMount: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
}
