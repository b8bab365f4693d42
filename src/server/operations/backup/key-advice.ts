import { openExisting } from '../../../../db/open.ts'
import { findInstallationKey, type KeyState, keyFileName } from '../../lib/installation-key.ts'
import { sealedPrefix } from '../../lib/sealed.ts'
import type { Store } from './make-backup.ts'

/** The message of backups about the key, which they do not contain. */
export const keyNotInBackupMessage = `Not in the backup: ${keyFileName}, which is beside the database. Keep a copy of it apart from the backups.`

/**
 * What to do about the key of a database; undefined if the key next to it decrypts all secrets of authenticator apps.
 * Creates and changes nothing.
 */
export async function keyAdvice({ databaseFile }: Pick<Store, 'databaseFile'>): Promise<string | undefined> {
  const found = await findInstallationKey(databaseFile)
  const key = found?.state === 'ready' ? found.key : undefined
  const people = peopleWithSecrets(databaseFile, key ? `${sealedPrefix(key)}%` : '')
  if (people === 0) return undefined
  const whose = people === 1 ? '1 person' : `${people} people`
  return `${problemOf(found)} Authenticator codes of ${whose} do not work until the right one is there; recovery codes, passkeys and the command admin reset-factor need no key.`
}

function problemOf(found: KeyState | undefined): string {
  if (found && found.state !== 'ready') return found.message
  const problem = found
    ? `${keyFileName} beside the database is not the former one.`
    : `There is no ${keyFileName} beside the database.`
  return `${problem} Put the copy that you keep apart from the backups there before the site starts.`
}

/** How many people have an authenticator app whose secret does not match the pattern. */
function peopleWithSecrets(databaseFile: string, sealedPattern: string): number {
  const sqlite = openExisting(databaseFile, { readonly: true })
  try {
    // The database of an older version has no such table.
    const hasTable = sqlite.prepare("select 1 from sqlite_master where name = 'user_factors'").get()
    if (!hasTable) return 0
    return sqlite
      .prepare(
        `select count(distinct user_id) from user_factors
         where confirmed_at is not null and secret_enc is not null and secret_enc not like ?`,
      )
      .pluck()
      .get(sealedPattern) as number
  } finally {
    sqlite.close()
  }
}
