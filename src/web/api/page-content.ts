import { useQuery } from '@tanstack/react-query'
import type { ContentPage } from '../../domain/content/public-pages.ts'
import type { Outputs } from './api.ts'
import { siteQueries } from './site-queries.ts'

type PageContent = Outputs['site']['content']
/** The texts of one page. */
export type ContentOf<Page extends ContentPage> = Extract<PageContent, { page: Page }>['content']

/** The texts of a public page, from the document or loaded from the server. */
export function usePageContent<Page extends ContentPage>(page: Page) {
  return useQuery({ ...siteQueries.content(page), select: data => data.content as ContentOf<Page> })
}
