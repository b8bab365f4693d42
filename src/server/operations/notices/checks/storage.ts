import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { applications, files, leases } from '../../../../../db/schema.ts'
import { backupState } from '../../backup/last-backup.ts'
import { type Check, maxPerKind, openApplication } from '../notice.ts'

/** When the last backup is older than this, a daily backup was missed. */
const backupTooOldMs = 2 * 24 * 60 * 60_000

export const damagedFiles: Check = ({ db }) =>
  db
    .select({
      id: files.id,
      name: files.originalName,
      at: files.damagedAt,
      applicationId: applications.id,
      number: applications.number,
    })
    .from(files)
    .leftJoin(leases, eq(leases.fileId, files.id))
    .leftJoin(applications, eq(applications.id, leases.applicationId))
    .where(and(isNotNull(files.damagedAt), isNull(files.removedAt)))
    .limit(maxPerKind)
    .all()
    .map(({ id, name, at, applicationId, number }) => ({
      id: `file-${id}`,
      title: number
        ? `The signed lease of ${number} is damaged or missing`
        : 'A stored file is damaged or missing',
      detail: `“${name}” is not as it was stored. Restore it from a backup.`,
      at,
      action: openApplication(applicationId),
    }))

/** Dismissed by deleting the files after checking them. */
export const orphanedFiles: Check = ({ files }) => {
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

/** The daily backups of a real site; the demo has none. */
export const backups: Check = ({ db, config, clock }) => {
  if (config.mode !== 'production' || !config.backups.scheduled) return []
  const { made, failed } = backupState(db)
  if (failed)
    return [{ id: 'backup-failed', title: 'The last backup failed', detail: failed.reason, at: failed.at }]
  if (!made)
    return [
      {
        id: 'backup-none',
        tone: 'warning',
        title: 'There is no backup yet',
        detail: 'The first one is made a minute after the site has started, then one every day.',
      },
    ]
  if (clock.now().getTime() - Date.parse(made.at) < backupTooOldMs) return []
  return [
    {
      id: 'backup-old',
      title: 'The last backup is older than two days',
      detail: 'One is made every day while the site runs; its log says why there was none.',
      at: made.at,
    },
  ]
}
