import { isPublicPath, publicPages } from '../../../domain/content/public-pages.ts'
import type { ServerCaller } from '../../api/api.ts'
import { availabilityWindow } from '../../features/stays/availability-window.ts'
import { firstMonth } from '../../features/stays/first-month.ts'
import type { PageData, SiteData } from './page-data.ts'

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
