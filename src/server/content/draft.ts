import type { Db, Tx } from '../../../db/open.ts'
import { contentSections } from '../../../db/schema.ts'
import type { ContentDocument, SectionName } from '../../domain/content.ts'
import { readSectionBody } from '../../domain/content-versions.ts'
import { isSameBody } from '../../domain/same-body.ts'

export type SectionRow = typeof contentSections.$inferSelect

/** Stored in place of an identity that is the environment's again, after another one was published. */
export const fromEnvironment = { fromEnvironment: true }

/** The draft as it is stored. */
export type StoredDraft = {
  rows: ReadonlyMap<SectionName, SectionRow>
  /** The words as the draft has them; a section that cannot be read is as published. */
  document: ContentDocument
  /** Sections that another release saved and that cannot be read. */
  unreadable: SectionName[]
}

/** Reads the draft over these published words. */
export function readDraft(db: Db | Tx, published: ContentDocument): StoredDraft {
  const rows = db.select().from(contentSections).all()
  const changed = rows.filter(({ body }) => body !== null).map(row => [row.section, storedBody(row)] as const)
  return {
    rows: new Map(rows.map(row => [row.section, row])),
    document: { ...published, ...Object.fromEntries(changed.filter(([, body]) => body !== undefined)) },
    unreadable: changed.flatMap(([section, body]) => (body === undefined ? [section] : [])),
  }
}

/** As a document has it: null for the environment's identity; undefined where it cannot be read. */
const storedBody = ({ body, schema, section }: SectionRow) =>
  section === 'identity' && isSameBody(body, fromEnvironment)
    ? null
    : readSectionBody(section, { body, schema })
