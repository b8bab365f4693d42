import { useQuery } from '@tanstack/react-query'
import type { ContentPage } from '../../domain/content-views.ts'
import type { Outputs } from './api.ts'
import { siteQueries } from './site-queries.ts'

type PageContent = Outputs['site']['content']
/** The words of one page. */
export type ContentOf<Page extends ContentPage> = Extract<PageContent, { page: Page }>['content']

/** The words of a public page: the document has them, or they are loaded. */
export function usePageContent<Page extends ContentPage>(page: Page) {
  return useQuery({ ...siteQueries.content(page), select: data => data.content as ContentOf<Page> })
}
