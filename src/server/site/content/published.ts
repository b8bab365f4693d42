import { and, gt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { contentSections, contentVersions, events } from '../../../../db/schema.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import {
  type ContentDocument,
  type ContentSource,
  resolveContent,
  type SectionName,
  type ShownContent,
  type SiteContent,
} from '../../../domain/content/content.ts'
import {
  newestReadable,
  readSectionBody,
  type StoredVersion,
} from '../../../domain/content/content-versions.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import type { Config } from '../../kernel/config.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { originalContent } from './shipped-content.ts'
import { historyOf, readStoredBody } from './versioned.ts'

/** The published versions. */
export const contentHistory = historyOf(contentVersions, contentVersions.id)

/** Converts a row for the domain rules. */
export function toStoredVersion(row: typeof contentVersions.$inferSelect): StoredVersion {
  const body = readStoredBody(row)
  return { id: row.id, schema: row.schema, isIntact: body !== undefined, body }
}

/** Name, address and contact from the environment, shown until the owner publishes others. */
export function environmentIdentity({ site }: Pick<Config, 'site'>): SiteContent['identity'] {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = site
  return { companyName, propertyName, propertyAddress, ownerEmail, ownerPhone }
}

/** The published content: the newest readable version. */
export const createContentSource =
  (deps: Pick<Deps, 'config' | 'dataVersion' | 'db' | 'isWriting'>): ContentSource =>
  () =>
    cachedUntilWrite(deps, 'published content', () => readPublishedContent(deps.db, deps.config))

/**
 * The content that was published at `at`, a UTC ISO text, as far as it is readable. A version published while the clock
 * was ahead counts from the last event that was recorded before it with a time that has passed.
 */
function publishedContentAt({ clock, config, db }: Deps, at: string): ShownContent {
  const now = nowIso({ clock })
  const { at: publishedAt, id } = contentVersions
  const publication = sql`(select max(id) from ${events}
    where kind = 'site.published' and subject_id = cast(${id} as text))`
  const lastBefore = sql`(select max(at) from ${events}
    where id < ${publication} and at <= ${now})`
  const last = contentHistory.newest(
    db,
    or(lte(publishedAt, at), and(gt(publishedAt, now), gt(sql`${at}`, sql`coalesce(${lastBefore}, '')`))),
  )
  return readPublishedContent(db, config, (last?.id ?? 0) + 1)
}

/**
 * The published content from the database, for use inside a write, where `deps.siteContent()` may be outdated.
 * @param before only versions before this one
 */
export function readPublishedContent(
  db: Db,
  config: Pick<Config, 'mode' | 'site'>,
  before?: number,
): ShownContent {
  const { document, id, unreadable } = newestReadable(versionsOf(db, before), originalContent(config, db))
  return {
    version: id,
    document,
    content: resolveContent(document, environmentIdentity(config)),
    unreadable,
  }
}

function* versionsOf(db: Db, before = Number.MAX_SAFE_INTEGER): Generator<StoredVersion> {
  for (let row = contentHistory.before(db, before); row; row = contentHistory.before(db, row.id))
    yield toStoredVersion(row)
}

type SectionRow = typeof contentSections.$inferSelect

/** Stored when the draft resets the identity to that of the environment, after another identity was published. */
export const fromEnvironment = { fromEnvironment: true }

/** The stored draft. */
export type StoredDraft = {
  rows: ReadonlyMap<SectionName, SectionRow>
  /** The content with the draft's changes; an unreadable section has its published content. */
  document: ContentDocument
  /** Sections saved by another release that cannot be read. */
  unreadable: SectionName[]
}

/** Reads the draft and merges it into the published content. */
export function readDraft(db: Db, published: ContentDocument): StoredDraft {
  return mergeDraft(db.select().from(contentSections).all(), published)
}

/** The draft of these rows, merged into the published content. */
export function mergeDraft(rows: readonly SectionRow[], published: ContentDocument): StoredDraft {
  const changed = rows.filter(({ body }) => body !== null).map(row => [row.section, storedBody(row)] as const)
  return {
    rows: new Map(rows.map(row => [row.section, row])),
    document: { ...published, ...Object.fromEntries(changed.filter(([, body]) => body !== undefined)) },
    unreadable: changed.flatMap(([section, body]) => (body === undefined ? [section] : [])),
  }
}

/** A row's content: null for the environment's identity; undefined if it cannot be read. */
const storedBody = ({ body, schema, section }: SectionRow) =>
  section === 'identity' && isSameBody(body, fromEnvironment)
    ? null
    : readSectionBody(section, { body, schema })

/** The published names, address and contact, and the time zone of the property. */
type CurrentSite = Config['site']

/**
 * The only source of the site's name, address and contact for pages, mails, leases and PDFs (SITE-22): the published
 * values, or those of the environment until the owner publishes others.
 */
export function currentSite({ config, siteContent }: Deps): CurrentSite {
  return { ...siteContent().content.identity, timeZone: config.site.timeZone }
}

/** The site as published at `at`, a UTC ISO text: for documents created then, which must not change. */
export function siteAt(deps: Deps, at: string): CurrentSite {
  return { ...publishedContentAt(deps, at).content.identity, timeZone: deps.config.site.timeZone }
}

/** The maximum number of people in the property, including applicants (SITE-14). */
export const guestLimitOf = ({ siteContent }: Deps): number => siteContent().content.facts.sleeps
