import { openExisting } from '../../../../db/open.ts'
import { findInstallationKey, type KeyState, keyFileName } from '../../lib/installation-key.ts'
import { sealedPrefix } from '../../lib/sealed.ts'
import type { Store } from './make-backup.ts'

/** The message of backups about the key, which they do not contain. */
export const keyNotInBackupMessage = `Not in the backup: ${keyFileName}, which is beside the database. Keep a copy of it apart from the backups.`

/**
 * What to do about the key of a database; undefined if the key next to it decrypts all secrets of authenticator apps
 * and of saved settings. Creates and changes nothing.
 */
export async function keyAdvice({ databaseFile }: Pick<Store, 'databaseFile'>): Promise<string | undefined> {
  const found = await findInstallationKey(databaseFile)
  const key = found?.state === 'ready' ? found.key : undefined
  const { people, settings } = countLost(databaseFile, key ? `${sealedPrefix(key)}%` : '')
  if (people + settings === 0) return undefined
  const whose = people === 1 ? '1 person' : `${people} people`
  const codes = `Authenticator codes of ${whose} do not work until the right one is there; recovery codes, passkeys and the command admin reset-factor need no key.`
  const saved = 'Mail and card payments that were set up in the browser are off until then.'
  return [problemOf(found), ...(people > 0 ? [codes] : []), ...(settings > 0 ? [saved] : [])].join(' ')
}

function problemOf(found: KeyState | undefined): string {
  if (found && found.state !== 'ready') return found.message
  const problem = found
    ? `${keyFileName} beside the database is not the former one.`
    : `There is no ${keyFileName} beside the database.`
  return `${problem} Put the copy that you keep apart from the backups there before the site starts.`
}

/** How many people have an authenticator app whose secret does not match the pattern, and how many settings do not. */
function countLost(databaseFile: string, sealedPattern: string): { people: number; settings: number } {
  const sqlite = openExisting(databaseFile, { readonly: true })
  // The database of an older version lacks the tables.
  const count = (table: string, query: string) =>
    sqlite.prepare('select 1 from sqlite_master where name = ?').get(table)
      ? (sqlite.prepare(query).pluck().get(sealedPattern) as number)
      : 0
  try {
    return {
      people: count(
        'user_factors',
        `select count(distinct user_id) from user_factors
         where confirmed_at is not null and secret_enc is not null and secret_enc not like ?`,
      ),
      settings: count('sealed_settings', 'select count(*) from sealed_settings where sealed not like ?'),
    }
  } finally {
    sqlite.close()
  }
}
