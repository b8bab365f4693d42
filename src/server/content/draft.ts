import { isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { contentSections } from '../../../db/schema.ts'
import type { ContentDocument } from '../../domain/content.ts'
import { readSectionBody } from '../../domain/content-versions.ts'

/** The words as the draft has them; a section that cannot be read is as published. */
export function readDraftWords(db: Db | Tx, published: ContentDocument): ContentDocument {
  const changed = db.select().from(contentSections).where(isNotNull(contentSections.body)).all()
  const read = changed.flatMap(({ body, schema, section }) => {
    const raised = readSectionBody(section, { body, schema })
    return raised ? [[section, raised]] : []
  })
  return { ...published, ...Object.fromEntries(read) }
}
