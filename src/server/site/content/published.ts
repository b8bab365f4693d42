import { desc, lt, lte } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { contentSections, contentVersions } from '../../../../db/schema.ts'
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
import type { Config } from '../../kernel/config.ts'
import type { Deps } from '../../kernel/deps.ts'
import { sha256 } from '../../lib/sha256.ts'
import { shippedContent } from './shipped-content.ts'

type VersionRow = typeof contentVersions.$inferSelect

/** Converts a row for the domain rules; its body is parsed only if its hash matches. */
export function storedVersion({ body, id, schema, sha256: stored }: VersionRow): StoredVersion {
  const isIntact = sha256(body) === stored
  return { id, schema, isIntact, body: isIntact ? parse(body) : undefined }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Name, address and contact from the environment, shown until the owner publishes others. */
export function environmentIdentity({ site }: Pick<Config, 'site'>): SiteContent['identity'] {
  const { companyName, ownerEmail, ownerPhone, propertyAddress, propertyName } = site
  return { companyName, propertyName, propertyAddress, ownerEmail, ownerPhone }
}

/** Returns the published content: the newest readable version. Cached until the newest row changes. */
export function createContentSource(
  db: Db,
  config: Pick<Config, 'site'>,
  dataVersion: () => string,
): ContentSource {
  const newest = () =>
    db
      .select({ id: contentVersions.id, sha256: contentVersions.sha256 })
      .from(contentVersions)
      .orderBy(desc(contentVersions.id))
      .limit(1)
      .get()
  let seen: { at: string; row: string; content: ShownContent } | undefined

  return () => {
    const at = dataVersion()
    if (seen?.at === at) return seen.content
    const { id, sha256: hash } = newest() ?? { id: 0, sha256: '' }
    const row = `${id} ${hash}`
    const content = seen?.row === row ? seen.content : readPublishedContent(db, config)
    seen = { at, row, content }
    return content
  }
}

/** The content that was published at `at`, a UTC ISO text, as far as it is readable. */
function publishedContentAt(db: Db, config: Pick<Config, 'site'>, at: string): ShownContent {
  const last = db
    .select({ id: contentVersions.id })
    .from(contentVersions)
    .where(lte(contentVersions.at, at))
    .orderBy(desc(contentVersions.id))
    .limit(1)
    .get()
  return readPublishedContent(db, config, (last?.id ?? 0) + 1)
}

/**
 * The published content from the database, for use inside a write, where `deps.siteContent()` may be outdated.
 * @param before only versions before this one
 */
export function readPublishedContent(
  db: Db | Tx,
  config: Pick<Config, 'site'>,
  before?: number,
): ShownContent {
  const { document, id, unreadable } = newestReadable(versionsOf(db, before), shippedContent)
  return {
    version: id,
    document,
    content: resolveContent(document, environmentIdentity(config)),
    unreadable,
  }
}

function* versionsOf(db: Db | Tx, before?: number): Generator<StoredVersion> {
  let row = readVersion(db, before)
  while (row) {
    yield storedVersion(row)
    row = readVersion(db, row.id)
  }
}

/** The newest version, or the newest version before `before`. */
const readVersion = (db: Db | Tx, before = Number.MAX_SAFE_INTEGER): VersionRow | undefined =>
  db
    .select()
    .from(contentVersions)
    .where(lt(contentVersions.id, before))
    .orderBy(desc(contentVersions.id))
    .limit(1)
    .get()

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
export function readDraft(db: Db | Tx, published: ContentDocument): StoredDraft {
  const rows = db.select().from(contentSections).all()
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
export function currentSite({ config, siteContent }: Pick<Deps, 'config' | 'siteContent'>): CurrentSite {
  return { ...siteContent().content.identity, timeZone: config.site.timeZone }
}

/** The site as published at `at`, a UTC ISO text: for documents created then, which must not change. */
export function siteAt({ config, db }: Pick<Deps, 'config' | 'db'>, at: string): CurrentSite {
  return { ...publishedContentAt(db, config, at).content.identity, timeZone: config.site.timeZone }
}

/** The maximum number of people in the property, including applicants (SITE-14). */
export const guestLimitOf = ({ siteContent }: Pick<Deps, 'siteContent'>): number =>
  siteContent().content.facts.sleeps
