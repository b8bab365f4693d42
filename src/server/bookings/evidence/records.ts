import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { depositLetters, depositStatements, evidence, files } from '../../../../db/schema.ts'

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

const isNamedIn = (
  db: Db,
  table: typeof depositLetters | typeof depositStatements,
  { applicationId, id }: Named,
): boolean =>
  db
    .select({ items: table.items })
    .from(table)
    .where(eq(table.applicationId, applicationId))
    .all()
    .some(({ items }) => items.some(({ photos }) => photos.some(photo => photo.id === id)))

/** Whether a statement names it: from then on the tenant gets it (DEP-19). */
export const isInStatement = (db: Db, row: Named): boolean => isNamedIn(db, depositStatements, row)

/** Whether a statement or letter names it, also a letter that was not sent: then it cannot be set aside (EVID-05). */
export const isInDocument = (db: Db, row: Named): boolean =>
  isInStatement(db, row) || isNamedIn(db, depositLetters, row)
