import type { Tx } from '../../../../db/open.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import type { SectionName } from '../../../domain/content/content.ts'
import * as rules from '../../../domain/content/content-draft.ts'
import type { Deps } from '../../kernel/deps.ts'
import { storeTexts } from '../content/parsed-texts.ts'
import { requestCopies } from '../pictures/copies.ts'
import { checkReferences, checkSection, requireSection } from './check-section.ts'
import { type DraftState, readState, writeDraft } from './draft-state.ts'
import type { SectionResponse } from './presenter.ts'
import { viewSaved, viewSection } from './views.ts'

/**
 * Saves a whole section in the draft (SITE-03, SITE-04, SITE-17, SITE-18).
 * @throws AppError not_found for an unknown section, bad_request by path within the section, conflict with the stored
 * section for a stale version
 */
export async function saveSection(
  deps: Deps,
  actor: Admin,
  { body: given, section, version }: { section: string; version: number; body: unknown },
): Promise<SectionResponse> {
  const name = requireSection(section)
  const { body, parsed } = await checkSection(deps, name, given)
  return deps.write(tx => {
    checkReferences(deps, tx, body)
    const state = readState(deps, tx)
    const after = withCurrent(tx, state, name, () =>
      rules.saveSection(state.draft, state.published.content, { name, version, body }),
    )
    writeDraft(deps, tx, actor, state.draft, after)
    storeTexts(deps, tx, parsed)
    const saved = readState(deps, tx, state.published)
    requestCopies(tx, saved.content)
    return viewSaved(deps, tx, saved, name)
  })
}

/** Runs a change of a section, and adds the stored section to its conflict error. */
export function withCurrent<Result>(
  tx: Tx,
  state: DraftState,
  name: SectionName,
  change: () => Result,
): Result {
  try {
    return change()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new AppError('conflict', error.message, { current: viewSection(tx, state, name) })
  }
}
