import { stat } from 'node:fs/promises'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../../../db/open.ts'
import { propertySettings } from '../../../../../db/schema.ts'
import { formatMomentDate } from '../../../../domain/common/dates.ts'
import { dayMs, hourMs } from '../../../../domain/common/durations.ts'
import { plural } from '../../../../domain/common/plural.ts'
import { backupSection } from '../../../../domain/content/backup-target.ts'
import type { Deps } from '../../../kernel/deps.ts'
import { readFact } from '../../../kernel/installation-facts.ts'
import type { FoundNotice, NoticeCheck } from '../../../kernel/notice.ts'
import { isLost } from '../../../kernel/sealed-settings.ts'
import { ifMissing } from '../../../lib/disk.ts'
import { locationOf } from './restic.ts'
import { readTarget, savedRepository } from './target.ts'

export const runKey = 'elsewhere.made'
export const failedKey = 'elsewhere.failed'
export const testKey = 'elsewhere.test'
export const checkKey = 'elsewhere.checked'
export const aheadKey = 'elsewhere.ahead'
export const wantedKey = 'elsewhere.wanted'
export const sheetKey = 'elsewhere.sheet'

/** `location` is the repository: its results do not apply to another one. */
const at = { at: z.string(), location: z.string() }
/** `writtenAt` is when the result was stored, the last write that is not a reason for another backup. */
const made = z.object({ ...at, writtenAt: z.string(), files: z.int() })
const failed = z.object({ ...at, reason: z.string() })
/** `isWhole` is false if there was room for only part of the files. */
const test = z.object({ ...at, seconds: z.number(), isWhole: z.boolean(), fault: z.string().nullable() })
/** Of the backups dated ahead of the clock, their number and the date of the last one. */
const ahead = z.object({ ...at, count: z.int(), until: z.string() })
const sheet = z.object({
  ...at,
  /** restic's key ID of this phrase, and of the previous one until this one is confirmed. */
  keyId: z.string(),
  formerKeyId: z.string().nullable(),
  /** HMACs of the two groups to type back; null once they were. */
  groups: z.array(z.string()).nullable(),
  /** Null again if the key of a confirmed sheet vanished at the target. */
  confirmedAt: z.string().nullable(),
})
export type SheetFact = z.infer<typeof sheet>
export type ElsewhereState = {
  made: z.infer<typeof made> | undefined
  failed: z.infer<typeof failed> | undefined
  test: z.infer<typeof test> | undefined
  sheet: SheetFact | undefined
  ahead: z.infer<typeof ahead> | undefined
  checkedAt: string | undefined
}

/** What is known about the backups at the present target; nothing without one. */
export function elsewhereState(db: Db): ElsewhereState {
  const target = readTarget(db)
  const location = target && locationOf(target)
  const read = <T extends { location: string }>(key: string, shape: z.ZodType<T>): T | undefined => {
    const value = readFact(db, key)
    const fact = value ? shape.parse(JSON.parse(value)) : undefined
    return fact?.location === location ? fact : undefined
  }
  return {
    made: read(runKey, made),
    failed: read(failedKey, failed),
    test: read(testKey, test),
    sheet: read(sheetKey, sheet),
    ahead: read(aheadKey, ahead),
    checkedAt: read(checkKey, z.object(at))?.at,
  }
}

/** Dangers of INST-47. */
const tooOldMs = 26 * hourMs
const untestedMs = 45 * dayMs

/** Milliseconds since a timestamp; infinite without one, and for one in the future, which a wrong clock wrote. */
export function since(now: Date, moment: string | undefined): number {
  const ms = moment === undefined ? Number.POSITIVE_INFINITY : now.getTime() - Date.parse(moment)
  return ms < -60_000 ? Number.POSITIVE_INFINITY : ms
}

/**
 * Whether a backup elsewhere is due (INST-26): an hour after the last one if something was written since, after a day in
 * any case, an hour after a failure, or at once if the owner asked for it.
 */
export async function isElsewhereDue(deps: Pick<Deps, 'clock' | 'config' | 'db' | 'key'>): Promise<boolean> {
  const { clock, config, db } = deps
  // Without its secrets none can be made, which is a notice.
  const target = savedRepository(deps)?.target
  if (!target) return false
  const { failed, made } = elsewhereState(db)
  const now = clock.now()
  if (readFact(db, wantedKey) === locationOf(target)) return true
  if (failed) return since(now, failed.at) >= hourMs
  if (!made || since(now, made.at) >= dayMs) return true
  return (
    since(now, made.at) >= hourMs &&
    (await lastWriteMs(config.databaseFile)) > Date.parse(made.writtenAt) + 2000
  )
}

async function lastWriteMs(databaseFile: string): Promise<number> {
  const times = await Promise.all(
    [databaseFile, `${databaseFile}-wal`].map(path =>
      stat(path).then(({ mtimeMs }) => mtimeMs, ifMissing(0)),
    ),
  )
  return Math.max(...times)
}

const savedAt = (db: Db) =>
  db.select().from(propertySettings).where(eq(propertySettings.section, backupSection.name)).get()?.updatedAt

/** What the owner has to know of the backups elsewhere (INST-24, INST-47). */
export const elsewhereNotices: NoticeCheck = deps => {
  const { clock, config, db } = deps
  const target = readTarget(db)
  if (!target || config.mode !== 'production') return []
  const now = clock.now()
  const action = { kind: 'server' } as const
  if (isLost(deps, 'backup.key') || isLost(deps, 'backup.secret'))
    return [
      {
        id: 'elsewhere-lost',
        title: 'Backups elsewhere are off: their secrets cannot be read',
        detail:
          'The site’s key is not the one with which they were saved. Save the target again at Site, Server.',
        action,
      },
    ]
  const { ahead, failed, made, sheet, test } = elsewhereState(db)
  const found: FoundNotice[] = []
  const reference = made?.at ?? savedAt(db)
  if (since(now, reference) >= tooOldMs)
    found.push({
      id: 'elsewhere-old',
      title: 'There was no backup elsewhere for 26 hours',
      detail:
        failed?.reason ?? 'One is made every hour while the site runs; its log says why there was none.',
      at: reference,
      action,
    })
  else if (failed)
    found.push({
      id: 'elsewhere-failed',
      tone: 'warning',
      title: 'The last backup elsewhere failed',
      detail: `${failed.reason} It is tried again every hour.`,
      at: failed.at,
      action,
    })
  if (test?.fault)
    found.push({
      id: 'elsewhere-test',
      title: 'The backup elsewhere could not be restored in its test',
      detail: test.fault,
      at: test.at,
      action,
    })
  else if (test && since(now, test.at) >= untestedMs)
    found.push({
      id: 'elsewhere-untested',
      title: 'The backup elsewhere was not tested for 45 days',
      detail: 'A test restore is made every month while the site runs; its log says why there was none.',
      at: test.at,
      action,
    })
  if (ahead && Date.parse(ahead.until) > now.getTime())
    found.push({
      id: 'elsewhere-ahead',
      tone: 'warning',
      title: 'Old backups elsewhere are not deleted',
      detail: `${plural(ahead.count, 'backup')} there ${ahead.count === 1 ? 'is' : 'are'} dated ahead of the clock. Until ${formatMomentDate(ahead.until, config.site.timeZone)} nothing is deleted; see whether the server’s clock is right.`,
      at: ahead.at,
      action,
    })
  if (sheet && !sheet.confirmedAt && !sheet.groups)
    found.push({
      id: 'elsewhere-sheet',
      title: 'The recovery sheet no longer opens the backups elsewhere',
      detail: 'Its phrase was removed at the target. Print a new one at Site, Server.',
      action,
    })
  else if (made && !sheet?.confirmedAt)
    found.push({
      id: 'elsewhere-sheet',
      tone: 'warning',
      title: 'There is no recovery sheet for the backups elsewhere',
      detail: 'Without it nobody can open them when this machine is lost. Print one at Site, Server.',
      action,
    })
  return found
}
