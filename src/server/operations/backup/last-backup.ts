import { z } from 'zod'
import { type Db, openExisting } from '../../../../db/open.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { readFact, writeFact } from '../../kernel/installation-facts.ts'
import type { NoticeCheck } from '../../kernel/notice.ts'
import { readLeft } from '../install/phase.ts'
import { readTarget } from './elsewhere/target.ts'

const madeKey = 'backup.made'
const failedKey = 'backup.failed'
const made = z.object({ at: z.string(), damaged: z.number() })
const failed = z.object({ at: z.string(), reason: z.string() })

/** The last backups of this installation. `failed` is undefined if a later backup succeeded. */
export type BackupState = {
  made: z.infer<typeof made> | undefined
  failed: z.infer<typeof failed> | undefined
}

export function backupState(db: Db): BackupState {
  const read = <T>(key: string, shape: z.ZodType<T>): T | undefined => {
    const value = readFact(db, key)
    return value === undefined ? undefined : shape.parse(JSON.parse(value))
  }
  return { made: read(madeKey, made), failed: read(failedKey, failed) }
}

/** Records a backup in the database that it was made of. Runs in a separate process, which may wait for a lock. */
export function recordBackup(databaseFile: string, at: Date, damaged: number): void {
  const sqlite = openExisting(databaseFile, { readonly: false })
  try {
    sqlite
      .transaction(() => {
        sqlite
          .prepare(
            'insert into settings values (?, ?) on conflict (key) do update set value = excluded.value',
          )
          .run(madeKey, JSON.stringify({ at: at.toISOString(), damaged }))
        sqlite.prepare('delete from settings where key = ?').run(failedKey)
      })
      .immediate()
  } finally {
    sqlite.close()
  }
}

export async function recordBackupFailure(deps: Deps, reason: string): Promise<void> {
  const value = JSON.stringify({ at: nowIso(deps), reason: reason.slice(0, 300) })
  await deps.write(tx => writeFact(tx, failedKey, value))
}

/** When the last backup is older than this, a daily backup was missed. */
const backupTooOldMs = 2 * dayMs

/** The daily backups of a real site; the demo has none. */
export const backups: NoticeCheck = ({ db, config, clock }) => {
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

/** Asks whether backups are copied to another machine, once the owner has left that step of the installation (INST-20). */
export const backupsElsewhere: NoticeCheck = ({ config, db }) => {
  if (!config.install || !readLeft(db).includes('backups') || readTarget(db)) return []
  const id = 'backups-elsewhere'
  return [
    {
      id,
      tone: 'warning',
      title: 'Are the backups copied to another machine?',
      detail: 'Those on this machine are lost when it is.',
      action: { kind: 'backups', id },
    },
  ]
}
