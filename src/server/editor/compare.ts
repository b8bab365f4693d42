import type { ContentChange } from '../../domain/content-compare.ts'
import type { Deps } from '../kernel/deps.ts'

/** A version's number, what is published, or the draft. */
export type ComparedState = number | 'published' | 'draft'

export function compareVersions(
  _deps: Deps,
  _sides: { from: ComparedState; to: ComparedState },
): ContentChange[] {
  throw new Error('not built yet')
}
