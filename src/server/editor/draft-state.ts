import type { Db, Tx } from '../../../db/open.ts'
import { contentSections } from '../../../db/schema.ts'
import type { Admin } from '../../domain/access.ts'
import {
  type ContentDocument,
  contentSchema,
  type Identity,
  type SectionName,
  type ShownWords,
  type SiteContent,
  sectionNames,
} from '../../domain/content.ts'
import { isSameBody } from '../../domain/content-compare.ts'
import { type Draft, type DraftSection, draftContent, touchedSections } from '../../domain/content-draft.ts'
import { readSectionBody } from '../../domain/content-versions.ts'
import { environmentIdentity, readWords } from '../content/published.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

export type SectionRow = typeof contentSections.$inferSelect
export type DraftState = {
  /** What is published. */
  words: ShownWords
  /** For the rules of `domain/content-draft.ts`. A section that cannot be read says something else than any other. */
  draft: Draft<SiteContent>
  /** The words as the draft has them; a section that cannot be read as published. */
  content: SiteContent
  /** The same as it would be stored. */
  document: ContentDocument
  /** Sections that were saved by another release and cannot be read: kept until they are saved anew or discarded. */
  unreadable: SectionName[]
  rows: ReadonlyMap<SectionName, SectionRow>
}

/** The identity of the environment, in the draft of a site whose identity was changed here before. */
const fromEnvironment = { fromEnvironment: true }

/** The draft and what it is a draft of; outside a write `words` are those of `deps.words()`. */
export function readState(
  { config }: Pick<Deps, 'config'>,
  db: Db | Tx,
  words: ShownWords = readWords(db, config),
): DraftState {
  const environment = environmentIdentity(config)
  const rows = new Map(
    db
      .select()
      .from(contentSections)
      .all()
      .map(row => [row.section, row]),
  )
  const unreadable: SectionName[] = []
  const sections = sectionNames.map((name): [SectionName, DraftSection<unknown>] => {
    const row = rows.get(name)
    if (!row || row.body === null) return [name, { version: row?.version ?? 0, body: null }]
    const body = readBody(row, environment)
    if (!body) unreadable.push(name)
    return [name, { version: row.version, body: body ?? {} }]
  })
  const draft = Object.fromEntries(sections) as Draft<SiteContent>
  const content = draftContent({ ...draft, ...asPublished(unreadable) }, words.content)
  const document = { ...content, identity: storedIdentity(words, rows.get('identity'), content.identity) }
  return { words, draft, content, document, unreadable, rows }
}

const readBody = (row: SectionRow, environment: Identity) =>
  isFromEnvironment(row) ? environment : readSectionBody(row.section, { schema: row.schema, body: row.body })

const isFromEnvironment = ({ body, section }: SectionRow) =>
  section === 'identity' && isSameBody(body, fromEnvironment)

const asPublished = (names: readonly SectionName[]) =>
  Object.fromEntries(names.map(name => [name, { version: 0, body: null }]))

/** Null while the draft takes it from the environment. */
function storedIdentity(
  { document }: ShownWords,
  row: SectionRow | undefined,
  identity: Identity,
): Identity | null {
  if (!row || row.body === null) return document.identity
  return isFromEnvironment(row) ? null : identity
}

/**
 * Writes the sections that differ. One whose body stays keeps it as it is stored, be it unreadable; an identity like the
 * environment's follows the environment from then on.
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
