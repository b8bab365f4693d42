import type { ContentPage } from '../../domain/content-views.ts'
import { api, type Outputs } from './api.ts'

type PageContent = Outputs['site']['content']
/** The words of one page. */
export type ContentOf<Page extends ContentPage> = Extract<PageContent, { page: Page }>['content']

/** The words of a public page: the document has them, or they are loaded. */
export function usePageContent<Page extends ContentPage>(page: Page) {
  return api.site.content.useQuery({ page }, { select: data => data.content as ContentOf<Page> })
}
