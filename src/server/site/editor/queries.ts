import { count } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { contentVersions } from '../../../../db/schema.ts'
import { resolveContent, sectionNames } from '../../../domain/content/content.ts'
import { versionPageSize } from '../../../domain/content/wording.ts'
import type { Deps } from '../../kernel/deps.ts'
import { environmentIdentity } from '../content/published.ts'
import { readState } from './draft-state.ts'
import type { DraftView, PersonView, VersionResponse, VersionView } from './presenter.ts'
import { findHeader, listHeaders, loadDocument, type VersionHeader } from './records.ts'
import { bodyView, readPeople, viewDraft } from './views.ts'

/** The draft with all errors that prevent publishing. */
export function readDraft(deps: Deps): DraftView {
  return viewDraft(deps, deps.db, readState(deps, deps.db, deps.siteContent()))
}

/** A page of versions without their content, newest first; the last of all is version 0 (FIX-35). */
export function listVersions(
  { db }: Pick<Deps, 'db'>,
  page: number,
): { versions: VersionView[]; total: number } {
  const rows = listHeaders(db, page)
  const counted = db.select({ total: count() }).from(contentVersions).get()
  const total = (counted?.total ?? 0) + 1
  const people = readPeople(
    db,
    rows.map(({ actorId }) => actorId),
  )
  const versions = rows.map(row => toVersionView(row, people.get(row.actorId)))
  const isLast = page === Math.ceil(total / versionPageSize)
  return { versions: isLast ? [...versions, asItCame] : versions, total }
}

/** A version with its content. @throws AppError not_found, also for an unreadable version */
export function readVersion({ config, db }: Pick<Deps, 'config' | 'db'>, version: number): VersionResponse {
  const document = loadDocument(db, version)
  const content = resolveContent(document, environmentIdentity(config))
  const sections = sectionNames.map(name => [name, bodyView(document, content, name)])
  return { version: viewVersion(db, version), sections: Object.fromEntries(sections) }
}

/** A version as it is listed; version 0 if there is none of this number. */
export function viewVersion(db: Db | Tx, version: number): VersionView {
  const row = findHeader(db, version)
  return row ? toVersionView(row, readPeople(db, [row.actorId]).get(row.actorId)) : asItCame
}

const asItCame: VersionView = {
  version: 0,
  at: null,
  by: null,
  note: 'As it came',
  source: 'publish',
  changed: [],
}

function toVersionView(
  { at, changed, id, note, source }: VersionHeader,
  by: PersonView | undefined,
): VersionView {
  return { version: id, at, by: by ?? null, note, source, changed }
}
