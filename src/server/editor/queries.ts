import type { Db, Tx } from '../../../db/open.ts'
import { type ContentDocument, type Identity, resolveContent, sectionNames } from '../../domain/content.ts'
import { isSameBody } from '../../domain/same-body.ts'
import { environmentIdentity } from '../content/published.ts'
import { shippedContent } from '../content/shipped-content.ts'
import type { Deps } from '../kernel/deps.ts'
import { readState } from './draft-state.ts'
import type { DraftView, PersonView, VersionResponse, VersionView } from './presenter.ts'
import { documentOf, findVersionRow, listVersionRows, loadDocument, type VersionRow } from './records.ts'
import { bodyView, readPeople, viewDraft } from './views.ts'

/** The draft with all errors that prevent publishing. */
export function readDraft(deps: Deps): DraftView {
  return viewDraft(deps, deps.db, readState(deps, deps.db, deps.siteContent()))
}

/** Newest first; the last is version 0. */
export function listVersions({ config, db }: Pick<Deps, 'config' | 'db'>): VersionView[] {
  const rows = listVersionRows(db)
  const people = readPeople(
    db,
    rows.map(({ actorId }) => actorId),
  )
  const environment = environmentIdentity(config)
  let before = shippedContent
  const versions = [asItCame]
  for (const row of rows.toReversed()) {
    const document = documentOf(row)
    versions.push(toVersionView(row, people.get(row.actorId), changedIn(before, document, environment)))
    before = document ?? before
  }
  return versions.toReversed()
}

/** A version with its content. @throws AppError not_found, also for an unreadable version */
export function readVersion({ config, db }: Pick<Deps, 'config' | 'db'>, version: number): VersionResponse {
  const document = loadDocument(db, version)
  const content = resolveContent(document, environmentIdentity(config))
  const sections = sectionNames.map(name => [name, bodyView(document, content, name)])
  return { version: viewVersion({ config }, db, version), sections: Object.fromEntries(sections) }
}

/** A version as it is listed. @throws AppError not_found */
export function viewVersion({ config }: Pick<Deps, 'config'>, db: Db | Tx, version: number): VersionView {
  const row = findVersionRow(db, version)
  if (!row) return asItCame
  const before = previousDocument(db, version)
  const changed = changedIn(before, documentOf(row), environmentIdentity(config))
  return toVersionView(row, readPeople(db, [row.actorId]).get(row.actorId), changed)
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
  { at, id, note, source }: VersionRow,
  by: PersonView | undefined,
  changed: VersionView['changed'],
): VersionView {
  return { version: id, at, by: by ?? null, note, source, changed }
}

/** The sections in which a version differs from the readable version before it. */
function changedIn(
  before: ContentDocument,
  document: ContentDocument | undefined,
  environment: Identity,
): VersionView['changed'] {
  if (!document) return []
  const [old, now] = [resolveContent(before, environment), resolveContent(document, environment)]
  return sectionNames.filter(name => !isSameBody(old[name], now[name]))
}

function previousDocument(db: Db | Tx, version: number): ContentDocument {
  for (let id = version - 1; id > 0; id -= 1) {
    const row = findVersionRow(db, id)
    const document = row && documentOf(row)
    if (document) return document
  }
  return shippedContent
}
