import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { changedSections, revisionOf } from '../../../domain/content/content-draft.ts'
import type { OpeningLine } from '../../../domain/content/opening.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { addFact, writeFact } from '../../kernel/installation-facts.ts'
import { openedAtKey, readOpening, requireOwnSite, writeOpening } from '../../kernel/opening.ts'
import { publishDraftIn } from '../../site/editor/publish.ts'
import { readState } from '../../site/editor/records.ts'
import { declinedKey, getOpening, isRequired, listDeclined } from './queries.ts'
import type { OpeningView } from './views.ts'

/**
 * Shows the site to visitors; the first time it publishes the draft, if it has changes, in the same write (OPEN-04).
 * @throws AppError conflict with the required lines that are not done; forbidden without a step-up; like publishing
 */
export function openSite(deps: Deps, actor: Admin): Promise<OpeningView> {
  requireOwnSite(deps)
  return deps.write(tx => {
    const before = readOpening(deps.config, tx)
    if (before === 'open') return getOpening(deps, tx)
    requireStepUp(deps, tx, actor)
    const { missing } = getOpening(deps, tx)
    if (missing.length > 0)
      throw new AppError('conflict', 'Something is missing before the site can be opened.', {
        fields: Object.fromEntries(missing.map(key => [key, 'This is missing.'])),
      })
    const { draft, published } = readState(deps, tx)
    // Reopening shows what visitors saw before: a draft is published where its changes are in sight.
    if (before === 'never' && changedSections(draft, published.content).length > 0)
      publishDraftIn(deps, tx, actor, { revision: revisionOf(draft), note: 'Opening' })
    const at = nowIso(deps)
    writeOpening(tx, 'open')
    if (before === 'never') addFact(tx, openedAtKey, at)
    recordEvent(tx, at, actor, 'site.opened', 'site')
    return getOpening(deps, tx)
  })
}

/** Hides the public pages from visitors; bookings, links, payments and mails go on (OPEN-04). */
export function closeSite(deps: Deps, actor: Admin): Promise<OpeningView> {
  requireOwnSite(deps)
  return deps.write(tx => {
    if (readOpening(deps.config, tx) === 'open') {
      requireStepUp(deps, tx, actor)
      writeOpening(tx, 'closed')
      recordEvent(tx, nowIso(deps), actor, 'site.closed', 'site')
    }
    return getOpening(deps, tx)
  })
}

/**
 * Declines a line that is not required, or takes that back (OPEN-03). Of an open site 'content' keeps the examples.
 * @throws AppError bad_request for a required line
 */
export function declineLine(
  deps: Deps,
  actor: Admin,
  { key, declined }: { key: OpeningLine; declined: boolean },
): Promise<OpeningView> {
  const isKept = key === 'content' && readOpening(deps.config, deps.db) === 'open'
  if (isRequired(deps, key) && !isKept) throw new AppError('bad_request', 'This is needed to open the site.')
  return deps.write(tx => {
    const others = listDeclined(tx).filter(other => other !== key)
    writeFact(tx, declinedKey, JSON.stringify(declined ? [...others, key] : others))
    recordEvent(tx, nowIso(deps), actor, 'opening.declined', key, { declined: String(declined) })
    return getOpening(deps, tx)
  })
}
