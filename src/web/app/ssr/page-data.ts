import type { QueryClient } from '@tanstack/react-query'
import type { ContactReply } from '../../../domain/content/contact-messages.ts'
import type { Outputs } from '../../api/api.ts'
import { contactReplyKey, queryKeyOf } from '../../api/site-queries.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'

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
