import { resolveContent, type SiteContent } from '../../../domain/content/content.ts'
import { type ContentChange, compareContent } from '../../../domain/content/content-compare.ts'
import type { Deps } from '../../kernel/deps.ts'
import { environmentIdentity } from '../content/published.ts'
import { readState } from './draft-state.ts'
import { loadDocument } from './records.ts'

/** The number of a version, the published version, or the draft. */
export type ComparedState = number | 'published' | 'draft'

/** The fields that differ between two versions of the content (SITE-24). @throws AppError not_found */
export function compareVersions(
  deps: Deps,
  { from, to }: { from: ComparedState; to: ComparedState },
): ContentChange[] {
  return compareContent(contentOf(deps, from), contentOf(deps, to))
}

function contentOf(deps: Deps, state: ComparedState): SiteContent {
  if (state === 'published') return deps.siteContent().content
  if (state === 'draft') return readState(deps, deps.db, deps.siteContent()).content
  return resolveContent(loadDocument(deps.db, state), environmentIdentity(deps.config))
}
