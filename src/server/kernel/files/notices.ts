import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { applications, evidence, files, leases } from '../../../../db/schema.ts'
import { maxPerKind, type NoticeCheck, openApplication } from '../notice.ts'

export const damagedFiles: NoticeCheck = ({ db }) =>
  db
    .select({
      id: files.id,
      name: files.originalName,
      at: files.damagedAt,
      applicationId: applications.id,
      number: applications.number,
      evidenceId: evidence.id,
    })
    .from(files)
    .leftJoin(leases, eq(leases.fileId, files.id))
    .leftJoin(evidence, eq(evidence.fileId, files.id))
    .leftJoin(
      applications,
      eq(applications.id, sql`coalesce(${leases.applicationId}, ${evidence.applicationId})`),
    )
    .where(and(isNotNull(files.damagedAt), isNull(files.removedAt)))
    .limit(maxPerKind)
    .all()
    .map(({ id, name, at, applicationId, evidenceId, number }) => ({
      id: `file-${id}`,
      title: number
        ? `${evidenceId ? 'A photo' : 'The signed lease'} of ${number} is damaged or missing`
        : 'A stored file is damaged or missing',
      detail: `“${name}” is not as it was stored. Restore it from a backup.`,
      at,
      action: openApplication(applicationId),
    }))

/** Dismissed by deleting the files after checking them. */
export const orphanedFiles: NoticeCheck = ({ files }) => {
  const { folder, count } = files.orphans()
  if (count === 0) return []
  const what = count === 1 ? '1 file without a record was' : `${count} files without a record were`
  return [
    {
      id: 'orphans',
      tone: 'warning',
      title: `${what} set aside`,
      detail: `An interrupted upload leaves such a file, and so does an older database. Files that are needed again are restored automatically. Review ${folder} and delete files that are no longer needed.`,
    },
  ]
}
