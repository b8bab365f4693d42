import type { Admin } from '../../../domain/accounts/access.ts'
import * as rules from '../../../domain/content/content-draft.ts'
import type { Deps } from '../../kernel/deps.ts'
import { requireSection } from './check-section.ts'
import { readState, writeDraft } from './draft-state.ts'
import type { DraftView, SectionResponse } from './presenter.ts'
import { withCurrent } from './save-section.ts'
import { viewDraft, viewSaved } from './views.ts'

/**
 * Resets the section to the published content (SITE-18).
 * @throws AppError not_found for an unknown section, conflict with the stored section for a stale version
 */
export async function discardSection(
  deps: Deps,
  actor: Admin,
  { section, version }: { section: string; version: number },
): Promise<SectionResponse> {
  const name = requireSection(section)
  return deps.write(tx => {
    const state = readState(deps, tx)
    const after = withCurrent(tx, state, name, () => rules.discardSection(state.draft, name, version))
    writeDraft(deps, tx, actor, state.draft, after)
    return viewSaved(deps, tx, readState(deps, tx, state.published), name)
  })
}

/** Resets all sections to the published content. @throws AppError conflict for a stale revision */
export async function discardDraft(deps: Deps, actor: Admin, revision: number): Promise<DraftView> {
  return deps.write(tx => {
    const { draft, published } = readState(deps, tx)
    writeDraft(deps, tx, actor, draft, rules.discardDraft(draft, revision))
    return viewDraft(deps, tx, readState(deps, tx, published))
  })
}
