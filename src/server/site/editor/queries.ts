import type { Db } from '../../../../db/open.ts'
import type { contentVersions } from '../../../../db/schema.ts'
import { resolveContent, type SiteContent, sectionNames } from '../../../domain/content/content.ts'
import { type ContentChange, compareContent } from '../../../domain/content/content-compare.ts'
import { versionPageSize } from '../../../domain/content/wording.ts'
import type { Deps } from '../../kernel/deps.ts'
import { contentHistory, environmentIdentity } from '../content/published.ts'
import { type PersonView, readPeople } from '../content/versioned.ts'
import { loadDocument, readState } from './records.ts'
import { bodyView, type DraftView, type VersionResponse, type VersionView, viewDraft } from './views.ts'

/** The draft with all errors that prevent publishing. */
export function readDraft(deps: Deps): DraftView {
  return viewDraft(deps, deps.db, readState(deps, deps.db, deps.siteContent()))
}

/** A page of versions without their content, newest first; the last of all is version 0 (FIX-35). */
export function listVersions({ db }: Deps, page: number): { versions: VersionView[]; total: number } {
  const { rows, total: saved } = contentHistory.page(db, page)
  const total = saved + 1
  const people = readPeople(
    db,
    rows.map(({ actorId }) => actorId),
  )
  const versions = rows.map(row => toVersionView(row, people.get(row.actorId)))
  const isLast = page === Math.ceil(total / versionPageSize)
  return { versions: isLast ? [...versions, originalVersion] : versions, total }
}

/** A version with its content. @throws AppError not_found, also for an unreadable version */
export function readVersion(deps: Deps, version: number): VersionResponse {
  const { config, db } = deps
  const document = loadDocument(deps, db, version)
  const content = resolveContent(document, environmentIdentity(config))
  const sections = sectionNames.map(name => [name, bodyView(document, content, name)])
  return { version: viewVersion(db, version), sections: Object.fromEntries(sections) }
}

/** A version as it is listed; version 0 if there is none of this number. */
export function viewVersion(db: Db, version: number): VersionView {
  const row = contentHistory.find(db, version)
  return row ? toVersionView(row, readPeople(db, [row.actorId]).get(row.actorId)) : originalVersion
}

const originalVersion: VersionView = {
  version: 0,
  at: null,
  by: null,
  note: 'Original content',
  source: 'publish',
  changed: [],
}

function toVersionView(
  { at, changed, id, note, source }: typeof contentVersions.$inferSelect,
  by: PersonView | undefined,
): VersionView {
  return { version: id, at, by: by ?? null, note, source, changed }
}

/** The number of a version, the published version, or the draft. */
type ComparedState = number | 'published' | 'draft'

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
  return resolveContent(loadDocument(deps, deps.db, state), environmentIdentity(deps.config))
}
