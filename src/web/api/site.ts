import { useQuery } from '@tanstack/react-query'
import { maxGuestLimit } from '../../domain/common/guest-limit.ts'
import type { ContentPage } from '../../domain/content/public-pages.ts'
import type { Outputs } from './api.ts'
import { siteQueries } from './site-queries.ts'

export type Site = Outputs['site']['get']['site']

/** Name and settings of this installation; undefined until loaded. They rarely change. */
export function useSite(): Site | undefined {
  return useQuery({ ...siteQueries.site(), staleTime: 5 * 60_000 }).data?.site
}

/** How many people the property sleeps. Until that is loaded only the server enforces it. */
export const useGuestLimit = (): number => useSite()?.guestLimit ?? maxGuestLimit

type PageContent = Outputs['site']['content']
/** The texts of one page. */
export type ContentOf<Page extends ContentPage> = Extract<PageContent, { page: Page }>['content']

/** The texts of a public page, from the document or loaded from the server. */
export function usePageContent<Page extends ContentPage>(page: Page) {
  return useQuery({ ...siteQueries.content(page), select: data => data.content as ContentOf<Page> })
}
