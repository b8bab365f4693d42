import { desc, eq, max } from 'drizzle-orm'
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
import { versionPageSize } from '../../../domain/content/wording.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import {
  environmentIdentity,
  fromEnvironment,
  readDraft,
  readPublishedContent,
  type StoredDraft,
  storedVersion,
} from '../content/published.ts'
import { shippedContent } from '../content/shipped-content.ts'

type VersionRow = typeof contentVersions.$inferSelect

/** A version without its content. */
export type VersionHeader = Pick<VersionRow, 'id' | 'at' | 'actorId' | 'note' | 'source' | 'changed'>
const header = {
  id: contentVersions.id,
  at: contentVersions.at,
  actorId: contentVersions.actorId,
  note: contentVersions.note,
  source: contentVersions.source,
  changed: contentVersions.changed,
}

/** A page of versions, newest first, without their content; version 0 is not among them. */
export function listHeaders(db: Db | Tx, page: number): VersionHeader[] {
  return db
    .select(header)
    .from(contentVersions)
    .orderBy(desc(contentVersions.id))
    .limit(versionPageSize)
    .offset((page - 1) * versionPageSize)
    .all()
}

/** The same of one version; undefined for version 0, which has no row. */
export function findHeader(db: Db | Tx, id: number): VersionHeader | undefined {
  return db.select(header).from(contentVersions).where(eq(contentVersions.id, id)).get()
}

/** @throws AppError not_found */
function loadVersionRow(db: Db | Tx, id: number): VersionRow {
  const row = db.select().from(contentVersions).where(eq(contentVersions.id, id)).get()
  if (!row) throw new AppError('not_found', 'There is no such version.')
  return row
}

/** The content of a version; undefined if it is unreadable (SITE-31). */
function documentOf(row: VersionRow): ContentDocument | undefined {
  const stored = storedVersion(row)
  return stored.isIntact ? readDocument(stored) : undefined
}

/**
 * The content of a version; version 0 is the shipped content.
 * @throws AppError not_found, also if the version is unreadable
 */
export function loadDocument(db: Db | Tx, version: number): ContentDocument {
  if (version === 0) return shippedContent
  const document = documentOf(loadVersionRow(db, version))
  if (!document) throw new AppError('not_found', 'The words of this version could not be read.')
  return document
}

/** Adds a version and returns its number. */
export function insertVersion(
  tx: Tx,
  version: Pick<VersionRow, 'at' | 'actorId' | 'changed' | 'note' | 'source'>,
  document: ContentDocument,
): number {
  const newest = tx
    .select({ id: max(contentVersions.id) })
    .from(contentVersions)
    .get()?.id
  const id = (newest ?? 0) + 1
  const body = JSON.stringify(document)
  tx.insert(contentVersions)
    .values({ ...version, id, schema: contentSchema, body, sha256: sha256(body) })
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
