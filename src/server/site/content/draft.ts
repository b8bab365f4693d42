import type { Db, Tx } from '../../../../db/open.ts'
import { contentSections } from '../../../../db/schema.ts'
import { isSameBody } from '../../../domain/common/same-body.ts'
import type { ContentDocument, SectionName } from '../../../domain/content/content.ts'
import { readSectionBody } from '../../../domain/content/content-versions.ts'

export type SectionRow = typeof contentSections.$inferSelect

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
