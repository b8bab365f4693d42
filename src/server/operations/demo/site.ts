import type { Admin } from '../../../domain/accounts/access.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { shippedContent } from '../../site/content/shipped-content.ts'
import { insertVersion } from '../../site/editor/records.ts'
import { saveSection } from '../../site/editor/save-section.ts'

const note = 'The words and pictures that come with the site'
const waitingText =
  'A quiet two-bedroom condo with a wide balcony, ten feet from the beach. Come for a week, stay the season, and bring a book.'

/** Publishes the shipped content as version 1, and changes a sentence of the hero in the draft. */
export async function seedSite(deps: Deps, admin: Admin): Promise<void> {
  await deps.write(tx => {
    const at = nowIso(deps)
    const version = insertVersion(
      tx,
      { at, actorId: admin.userId, note, source: 'publish', changed: [] },
      shippedContent,
    )
    recordEvent(tx, at, admin, 'site.published', String(version), { source: 'publish', note, changed: '' })
  })
  const body = { ...shippedContent.hero, text: waitingText }
  await saveSection(deps, admin, { section: 'hero', version: 0, body })
}
