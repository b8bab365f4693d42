import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { dayMs } from '../../domain/common/durations.ts'
import type { Deps } from './deps.ts'
import { readFact } from './installation-facts.ts'

export const restoredKey = 'restored'
/** When the backup was made and when it was restored. What was entered in between may be missing. */
const fact = z.object({ from: z.string(), at: z.string() })

/** When the backup was made and restored, ISO; undefined if this site was never restored. */
export const readRestored = (db: Db) => {
  const value = readFact(db, restoredKey)
  return value === undefined ? undefined : fact.parse(JSON.parse(value))
}

/** For a day the owner can check the site and enter again what was entered by hand since the backup. */
export const enteredAgainMs = dayMs

/**
 * Whether the site was restored less than a day ago. What people did after the backup is not known, so nothing ends, is
 * published or sends a reminder by the clock (INST-42).
 */
export function isJustRestored({ clock, db }: Pick<Deps, 'clock' | 'db'>): boolean {
  const restore = readRestored(db)
  return restore !== undefined && Math.abs(clock.now().getTime() - Date.parse(restore.at)) < enteredAgainMs
}
