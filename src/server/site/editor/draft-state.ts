import type { Db, Tx } from '../../../../db/open.ts'
import { contentSections } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import {
  contentSchema,
  resolveContent,
  type SectionName,
  type ShownContent,
  type SiteContent,
  sectionNames,
} from '../../../domain/content/content.ts'
import { type Draft, type DraftSection, touchedSections } from '../../../domain/content/content-draft.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { fromEnvironment, readDraft, type StoredDraft } from '../content/draft.ts'
import { environmentIdentity, readPublishedContent } from '../content/published.ts'

export type DraftState = Pick<StoredDraft, 'rows' | 'document' | 'unreadable'> & {
  /** The published content. */
  published: ShownContent
  /** For the rules of `domain/content-draft.ts`. An unreadable section differs from every other body. */
  draft: Draft<SiteContent>
  /** The content of the draft, with the environment's identity if the document has none. */
  content: SiteContent
}

/** The draft and the published content that it is based on; outside a write pass `deps.siteContent()` as `published`. */
export function readState(
  { config }: Pick<Deps, 'config'>,
  db: Db | Tx,
  published: ShownContent = readPublishedContent(db, config),
): DraftState {
  const { document, rows, unreadable } = readDraft(db, published.document)
  const content = resolveContent(document, environmentIdentity(config))
  const sections = sectionNames.map((name): [SectionName, DraftSection<unknown>] => {
    const { body: stored = null, version = 0 } = rows.get(name) ?? {}
    const body = unreadable.includes(name) ? {} : content[name]
    return [name, { version, body: stored === null ? null : body }]
  })
  return {
    published,
    draft: Object.fromEntries(sections) as Draft<SiteContent>,
    content,
    document,
    unreadable,
    rows,
  }
}

/**
 * Writes the sections that differ. If only the version differs, the stored body stays, even if it is unreadable. An
 * identity equal to the environment's is stored as a reference to the environment.
 */
export function writeDraft(
  deps: Pick<Deps, 'clock' | 'config'>,
  tx: Tx,
  actor: Admin,
  before: Draft<SiteContent>,
  after: Draft<SiteContent>,
): void {
  const environment = environmentIdentity(deps.config)
  for (const section of touchedSections(before, after)) {
    const { body, version } = after[section]
    const isEnvironments = section === 'identity' && isSameBody(body, environment)
    const stored = { schema: contentSchema, body: isEnvironments ? fromEnvironment : body }
    const touched = { version, updatedAt: nowIso(deps), updatedBy: actor.userId }
    tx.insert(contentSections)
      .values({ section, ...stored, ...touched })
      .onConflictDoUpdate({
        target: contentSections.section,
        set: body === before[section].body ? touched : { ...stored, ...touched },
      })
      .run()
  }
}
