import type { Db, Tx } from '../../../../db/open.ts'
import { contentSections, contentVersions } from '../../../../db/schema.ts'
import type { Admin } from '../../../domain/accounts/access.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import {
  type ContentDocument,
  contentSchema,
  resolveContent,
  type SectionName,
  type ShownContent,
  type SiteContent,
  sectionNames,
} from '../../../domain/content/content.ts'
import { type Draft, type DraftSection, touchedSections } from '../../../domain/content/content-draft.ts'
import { readDocument } from '../../../domain/content/content-versions.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import {
  contentHistory,
  environmentIdentity,
  fromEnvironment,
  mergeDraft,
  readDraft,
  readPublishedContent,
  type StoredDraft,
  toStoredVersion,
} from '../content/published.ts'
import { originalContent } from '../content/shipped-content.ts'
import { toStoredBody } from '../content/versioned.ts'

type VersionRow = typeof contentVersions.$inferSelect

/**
 * The content of a version; version 0 is what the site began with.
 * @throws AppError not_found, also if the version is unreadable
 */
export function loadDocument({ config }: Pick<Deps, 'config'>, db: Db, version: number): ContentDocument {
  if (version === 0) return originalContent(config, db)
  const row = contentHistory.find(db, version)
  if (!row) throw new AppError('not_found', 'There is no such version.')
  const stored = toStoredVersion(row)
  const document = stored.isIntact ? readDocument(stored) : undefined
  if (!document) throw new AppError('not_found', 'The content of this version could not be read.')
  return document
}

/** Adds a version and returns its number. */
export function insertVersion(
  tx: Tx,
  version: Pick<VersionRow, 'at' | 'actorId' | 'changed' | 'note' | 'source'>,
  document: ContentDocument,
): number {
  const id = (contentHistory.newest(tx)?.id ?? 0) + 1
  tx.insert(contentVersions)
    .values({ ...version, id, schema: contentSchema, ...toStoredBody(JSON.stringify(document)) })
    .run()
  return id
}

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
  { config }: Deps,
  db: Db,
  published: ShownContent = readPublishedContent(db, config),
): DraftState {
  return toState(config, published, readDraft(db, published.document))
}

function toState(
  config: Deps['config'],
  published: ShownContent,
  { document, rows, unreadable }: StoredDraft,
): DraftState {
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
 * Writes the sections that differ, and returns the draft as it is stored now. If only the version differs, the stored
 * body stays, even if it is unreadable. An identity equal to the environment's is stored as a reference to the
 * environment.
 */
export function writeDraft(
  deps: Deps,
  tx: Tx,
  actor: Admin,
  { draft: before, published, rows: stored }: DraftState,
  after: Draft<SiteContent>,
): DraftState {
  const environment = environmentIdentity(deps.config)
  const rows = new Map(stored)
  for (const section of touchedSections(before, after)) {
    const { body, version } = after[section]
    const isEnvironments = section === 'identity' && isSameBody(body, environment)
    const { body: storedBody = null, schema = contentSchema } = stored.get(section) ?? {}
    const row = {
      section,
      version,
      ...(body === before[section].body
        ? { schema, body: storedBody }
        : { schema: contentSchema, body: isEnvironments ? fromEnvironment : body }),
      updatedAt: nowIso(deps),
      updatedBy: actor.userId,
    }
    tx.insert(contentSections)
      .values(row)
      .onConflictDoUpdate({ target: contentSections.section, set: row })
      .run()
    rows.set(section, row)
  }
  return toState(deps.config, published, mergeDraft([...rows.values()], published.document))
}
