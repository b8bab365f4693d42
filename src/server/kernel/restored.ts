import { z } from 'zod'
import type { Db } from '../../../db/open.ts'
import { dayMs } from '../../domain/common/durations.ts'
import type { Deps } from './deps.ts'
import { readFact } from './installation-facts.ts'

export const restoredKey = 'restored'
/** From the backup to the restore: what was entered meanwhile may be missing. */
const fact = z.object({ from: z.string(), at: z.string() })

/** When the backup was made and restored, ISO; undefined if this site was never restored. */
export const readRestored = (db: Db) => {
  const value = readFact(db, restoredKey)
  return value === undefined ? undefined : fact.parse(JSON.parse(value))
}

/** The owner has a day to look, and to enter again what was entered by hand since the backup. */
export const enteredAgainMs = dayMs

/**
 * Whether the site was restored within a day: what people did since the backup is not known here, so the clock ends,
 * publishes and reminds of nothing (INST-42).
 */
export function isJustRestored({ clock, db }: Pick<Deps, 'clock' | 'db'>): boolean {
  const restore = readRestored(db)
  return restore !== undefined && Math.abs(clock.now().getTime() - Date.parse(restore.at)) < enteredAgainMs
}
