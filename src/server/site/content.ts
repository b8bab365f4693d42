import type { ContentPage, PageContent } from '../../domain/content-views.ts'
import type { Deps } from '../kernel/deps.ts'

/** The words of a public page, with its pictures. */
export function pageContent(_deps: Deps, _page: ContentPage): PageContent {
  throw new Error('not built yet')
}

/** Ways to pay without a card, their fills filled in (SITE-16). */
export function waysToPay(_deps: Deps): { name: string; instructions: string }[] {
  throw new Error('not built yet')
}
