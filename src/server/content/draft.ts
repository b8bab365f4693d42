import { isNotNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/open.ts'
import { contentSections } from '../../../db/schema.ts'
import { type ContentDocument, sections } from '../../domain/content.ts'

/** The words as the draft has them; a section that cannot be read is as published. */
export function readDraftWords(db: Db | Tx, published: ContentDocument): ContentDocument {
  const changed = db.select().from(contentSections).where(isNotNull(contentSections.body)).all()
  const read = changed.flatMap(({ body, section }) => {
    const parsed = sections[section].safeParse(body)
    return parsed.success ? [[section, parsed.data]] : []
  })
  return { ...published, ...Object.fromEntries(read) }
}
