import { inArray } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { pictures } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { resolveContent } from '../../../domain/content/content.ts'
import * as rules from '../../../domain/content/content-draft.ts'
import { withoutMissingPictures } from '../../../domain/content/picture.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { parseTexts, storeTexts } from '../content/parsed-texts.ts'
import { environmentIdentity } from '../content/published.ts'
import { pictureExists, requestCopies } from '../pictures/copies.ts'
import { loadDocument, readState, writeDraft } from './records.ts'
import { type RestoredResponse, viewDraft } from './views.ts'

/**
 * Puts a version into the draft, without pictures that have been removed since (SITE-25, SITE-27).
 * @throws AppError not_found; conflict over unpublished changes without `replace`
 */
export async function restoreVersion(
  deps: Deps,
  actor: Admin,
  { replace, version }: { version: number; replace: boolean },
): Promise<RestoredResponse> {
  // Words that cannot be parsed are restored, too; they cannot be published.
  const { parsed } = await parseTexts(deps, loadDocument(deps, deps.db, version))
  return deps.write(tx => {
    const before = readState(deps, tx)
    const { draft, published } = before
    const { document, missing } = withoutMissingPictures(loadDocument(deps, tx, version), id =>
      pictureExists(tx, id),
    )
    const restored = resolveContent(document, environmentIdentity(deps.config))
    const after = rules.restoreVersion(draft, published.content, restored, replace)
    const state = writeDraft(deps, tx, actor, before, after)
    storeTexts(deps, tx, parsed)
    requestCopies(tx, state.content)
    recordEvent(tx, nowIso(deps), actor, 'site.restored', String(version))
    return { draft: viewDraft(deps, tx, state), missingPictures: namesOf(tx, missing) }
  })
}

/** The file names of the pictures; the id for an unknown picture. */
function namesOf(tx: Tx, ids: string[]): string[] {
  const { id, name } = pictures
  const known = new Map(
    tx
      .select({ id, name })
      .from(pictures)
      .where(inArray(id, ids))
      .all()
      .map(row => [row.id, row.name]),
  )
  return ids.map(missing => known.get(missing) ?? missing)
}
