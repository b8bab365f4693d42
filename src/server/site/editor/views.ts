import { inArray } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import {
  type ContentDocument,
  type SectionName,
  type SiteContent,
  sectionNames,
} from '../../../domain/content/content.ts'
import { changedSections, revisionOf } from '../../../domain/content/content-draft.ts'
import type { Deps } from '../../kernel/deps.ts'
import type { DraftState } from './draft-state.ts'
import type { DraftView, PersonView, SectionResponse, SectionView } from './presenter.ts'
import { publishErrorsOf } from './publish-errors.ts'
import { findHeader } from './records.ts'

type People = ReadonlyMap<string, PersonView>

/** The people with these ids, by id, with their names. */
export function readPeople(db: Db | Tx, ids: readonly string[]): People {
  const { email, firstName, id, lastName } = users
  const found = db
    .select({ id, email, firstName, lastName })
    .from(users)
    .where(inArray(id, [...new Set(ids)]))
    .all()
  const nameOf = (user: (typeof found)[number]) => `${user.firstName} ${user.lastName}`.trim() || user.email
  return new Map(found.map(user => [user.id, { id: user.id, name: nameOf(user) }]))
}

/** The content of a section for the editor; an identity also shows whether it comes from the environment. */
export function bodyView(document: ContentDocument, content: SiteContent, name: SectionName) {
  return name === 'identity' && document.identity === null
    ? { ...content.identity, fromEnvironment: true }
    : { ...content[name] }
}

/** A section of the draft as it is stored. */
export function viewSection(db: Db | Tx, state: DraftState, name: SectionName): SectionView {
  return toSectionView(state, readPeople(db, saversOf(state)), name)
}

function toSectionView(state: DraftState, people: People, name: SectionName): SectionView {
  const row = state.rows.get(name)
  return {
    name,
    version: state.draft[name].version,
    changed: changedSections(state.draft, state.published.content).includes(name),
    body: bodyView(state.document, state.content, name),
    updatedAt: row?.updatedAt ?? null,
    updatedBy: (row && people.get(row.updatedBy)) ?? null,
  }
}

const saversOf = ({ rows }: DraftState) => [...rows.values()].map(({ updatedBy }) => updatedBy)

/** A section that was just written, with the new state of the draft. */
export function viewSaved(
  deps: Pick<Deps, 'config'>,
  tx: Tx,
  state: DraftState,
  name: SectionName,
): SectionResponse {
  const section = viewSection(tx, state, name)
  return { section, revision: revisionOf(state.draft), faults: publishErrorsOf(deps, tx, state) }
}

/** The whole draft. */
export function viewDraft(deps: Pick<Deps, 'config'>, db: Db | Tx, state: DraftState): DraftView {
  const { version } = state.published
  const row = findHeader(db, version)
  const people = readPeople(db, [...saversOf(state), ...(row ? [row.actorId] : [])])
  const sections = sectionNames.map(name => [name, toSectionView(state, people, name)])
  return {
    revision: revisionOf(state.draft),
    published: { version, at: row?.at ?? null, by: (row && people.get(row.actorId)) ?? null },
    sections: Object.fromEntries(sections),
    faults: publishErrorsOf(deps, db, state),
  }
}
