import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import packageJson from '../../../../../package.json' with { type: 'json' }
import { dayMs } from '../../../../domain/common/durations.ts'
import { type Deps, nowIso } from '../../../kernel/deps.ts'
import { writeFact } from '../../../kernel/installation-facts.ts'
import { BackupDamagedError, databaseEntry } from '../archive.ts'
import type { Progress } from '../make-backup.ts'
import { checkDatabase } from '../restore.ts'
import { checkSheet } from './recovery-sheet.ts'
import {
  backupTag,
  listSnapshots,
  locationOf,
  type Repository,
  ResticError,
  removeStaleLocks,
  restic,
  resticOutput,
  restoreSnapshot,
  type Snapshot,
  snapshotIdIn,
  wordsOf,
} from './restic.ts'
import { readStaged, stageBackup } from './stage.ts'
import { aheadKey, checkKey, elsewhereState, failedKey, runKey, since, testKey, wantedKey } from './state.ts'
import { withRepository } from './target.ts'

/** How long backups elsewhere are kept (INST-26). */
const kept = ['--keep-within', '48h', '--keep-daily', '30', '--keep-monthly', '24']
const testEveryMs = 30 * dayMs
const checkEveryMs = 7 * dayMs

/**
 * Makes a backup elsewhere, then what is due there besides: deleting old ones once a day, reading a part of the
 * repository once a week, and a test restore each month. Meant for a process of its own, one at a time.
 * @throws Error with a sentence for the owner, which is also stored
 */
export function backUpElsewhere(
  deps: Deps,
  environment: Record<string, string | undefined>,
  progress: Progress,
  options: { test?: boolean } = {},
): Promise<void> {
  return withRepository(deps, repository => backUpTo(repository, deps, environment, progress, options))
}

async function backUpTo(
  repository: Repository,
  deps: Deps,
  environment: Record<string, string | undefined>,
  progress: Progress,
  options: { test?: boolean },
): Promise<void> {
  const location = locationOf(repository.target)
  const before = elsewhereState(deps.db)
  const now = deps.clock.now()
  let made: Snapshot
  try {
    await removeStaleLocks(repository, now, progress)
    const { files, snapshot } = await addSnapshot(deps, repository, environment)
    made = snapshot
    progress(`Backed up to ${location}: the database and ${files} files.`)
    await deps.write(tx => {
      const at = now.toISOString()
      writeFact(tx, runKey, JSON.stringify({ at, location, files, writtenAt: nowIso(deps) }))
      writeFact(tx, failedKey, '')
      writeFact(tx, wantedKey, '')
    })
    if (since(now, before.made?.at) >= dayMs || now.getUTCHours() === 3)
      await deleteOld(deps, repository, progress)
  } catch (error) {
    await storeFailure(deps, location, error)
    throw error
  }
  let fault: unknown
  try {
    if (since(now, before.checkedAt) >= checkEveryMs) {
      await checkSheet(deps, repository)
      await resticOutput(repository, ['check', '--read-data-subset=5%', '-q'])
      await deps.write(tx => writeFact(tx, checkKey, JSON.stringify({ at: now.toISOString(), location })))
    }
  } catch (error) {
    // Told after the test restore: a lock of another machine stops only the check.
    fault = error
  }
  const { test } = before
  // A failed test is repeated with the next day's backup: it fetches everything.
  if (options.test || since(now, test?.at) >= (test?.fault ? dayMs : testEveryMs))
    await testRestore(deps, repository, made, progress)
  if (fault === undefined) return
  await storeFailure(deps, location, fault)
  throw fault
}

async function storeFailure(deps: Deps, location: string, error: unknown): Promise<void> {
  const reason = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  await deps.write(tx => {
    writeFact(tx, failedKey, JSON.stringify({ at: nowIso(deps), location, reason }))
    writeFact(tx, wantedKey, '')
  })
}

async function addSnapshot(
  { clock, config }: Deps,
  repository: Repository,
  environment: Record<string, string | undefined>,
): Promise<{ files: number; snapshot: Snapshot }> {
  const folder = join(repository.work, 'staging')
  const files = await stageBackup(config, folder, clock.now(), environment)
  const tags = [backupTag, `version-${packageJson.version}`, `files-${files}`].flatMap(tag => ['--tag', tag])
  const result = await restic(repository, ['backup', '.', '-q', '--json', ...tags], { cwd: folder })
  const id = snapshotIdIn(result.output)
  if (result.code !== 0) {
    // Some of the files could not be read.
    if (id) await restic(repository, ['forget', id, '-q'])
    throw new ResticError(wordsOf(repository, result))
  }
  const [snapshot] = id ? await listSnapshots(repository, id) : []
  if (!snapshot) throw new ResticError('The backup is not among those at the target.')
  await rm(folder, { recursive: true })
  return { files, snapshot }
}

/**
 * Deletes old backups. They are one group: by default restic would thin those with other tags apart from each other. A
 * target whose key may only add keeps everything, which is advised and no failure. While some are dated ahead of the clock,
 * all stay, which is a notice: these would take the places of the others.
 */
async function deleteOld(deps: Deps, repository: Repository, progress: Progress): Promise<void> {
  try {
    const ahead = (await listSnapshots(repository)).filter(({ isAhead }) => isAhead)
    const [last] = ahead
    const location = locationOf(repository.target)
    const found = last && { at: nowIso(deps), location, count: ahead.length, until: last.at }
    await deps.write(tx => writeFact(tx, aheadKey, found ? JSON.stringify(found) : ''))
    if (found) throw new Error('some are dated ahead of the clock.')
    const ofSite = ['--tag', backupTag, '--group-by', '']
    await resticOutput(repository, ['forget', ...ofSite, ...kept, '--prune', '-q'])
  } catch (error) {
    progress(`Old backups stay: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const sizes = z.object({ total_size: z.number() })

/**
 * Restores a backup into an empty folder, and checks every hash and the database (INST-28). Without room for
 * all files, it restores the database and about a tenth of them. The result is stored.
 */
async function testRestore(
  deps: Deps,
  repository: Repository,
  { id }: Snapshot,
  progress: Progress,
): Promise<void> {
  const started = Date.now()
  const location = locationOf(repository.target)
  const folder = join(repository.work, 'test-restore')
  let isWhole = true
  let fault: string | null = null
  try {
    const stats = await resticOutput(repository, ['stats', id, '--json', '--no-lock', '-q'])
    const { bavail, bsize } = await statfs(repository.work)
    isWhole = sizes.parse(JSON.parse(stats)).total_size * 1.1 < bavail * bsize
    const some = isWhole ? [] : [databaseEntry, 'manifest.json', 'files/[01]?[0-9a-f]*']
    await restoreSnapshot(repository, id, folder, some)
    const manifest = await readStaged(folder, undefined, !isWhole)
    checkDatabase(join(folder, databaseEntry), manifest)
    const [bad] = manifest.damaged
    if (bad) throw new BackupDamagedError(`The file ${bad.name} was ${bad.problem} when the backup was made.`)
    progress(`Test restore of the backup of ${manifest.createdAt}: good.`)
  } catch (error) {
    fault = (error instanceof Error ? error.message : String(error)).slice(0, 300)
    progress(`Test restore: ${fault}`)
  }
  const seconds = Math.ceil((Date.now() - started) / 1000)
  const at = nowIso(deps)
  await deps.write(tx => writeFact(tx, testKey, JSON.stringify({ at, location, seconds, isWhole, fault })))
}
