import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { depositLetters, depositStatements, evidence, files } from '../../../../db/schema.ts'
import type { StatementItem } from '../../../domain/money/deposit-case.ts'

export type EvidenceRow = typeof evidence.$inferSelect
export type EvidenceSubject = EvidenceRow['subject']

/** What is kept of these subjects and not set aside, each with its file, in the order of receipt. */
export const listEvidence = (db: Db, subject: EvidenceSubject, subjectIds: readonly string[]) =>
  db
    .select({ evidence, file: files })
    .from(evidence)
    .innerJoin(files, eq(files.id, evidence.fileId))
    .where(
      and(
        eq(evidence.subject, subject),
        inArray(evidence.subjectId, [...subjectIds]),
        isNull(evidence.removedAt),
      ),
    )
    .orderBy(asc(sql`${evidence}.rowid`))
    .all()

/** Evidence with its file, also if it is set aside. */
export const findEvidence = (db: Db, id: string) =>
  db
    .select({ evidence, file: files })
    .from(evidence)
    .innerJoin(files, eq(files.id, evidence.fileId))
    .where(eq(evidence.id, id))
    .get()

type Named = Pick<EvidenceRow, 'applicationId' | 'id'>
const names = (items: readonly StatementItem[], id: string) =>
  items.some(({ photos }) => photos.some(photo => photo.id === id))

/** Whether a statement names it: from then on the tenant gets it (DEP-19). */
export function isInStatement(db: Db, { applicationId, id }: Named): boolean {
  const { items } = depositStatements
  const rows = db.select({ items }).from(depositStatements)
  return rows
    .where(eq(depositStatements.applicationId, applicationId))
    .all()
    .some(row => names(row.items, id))
}

/** Whether a statement or letter names it, also a letter that was not sent: then it cannot be set aside (EVID-05). */
export function isInDocument(db: Db, named: Named): boolean {
  const { items } = depositLetters
  const rows = db.select({ items }).from(depositLetters)
  const letters = rows.where(eq(depositLetters.applicationId, named.applicationId)).all()
  return letters.some(row => names(row.items, named.id)) || isInStatement(db, named)
}
