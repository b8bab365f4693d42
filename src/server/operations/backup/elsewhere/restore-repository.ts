import { copyFile, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../../kernel/config.ts'
import { exists } from '../../../lib/disk.ts'
import { keyPathOf } from '../../../lib/installation-key.ts'
import type { Manifest } from '../archive.ts'
import type { Progress } from '../make-backup.ts'
import { type BackupReader, requireEmpty, restoreFrom } from '../restore.ts'
import { alone, resticFolder } from './alone.ts'
import {
  listSnapshots,
  locationOf,
  type Repository,
  repositoryState,
  restoreSnapshot,
  type Snapshot,
} from './restic.ts'
import { keyEntry, readStaged, settingsEntry } from './stage.ts'

const shown = 20

/**
 * Restores the newest backup of a repository, or the one whose id begins with `wanted`, into an empty destination, with
 * the key and the settings of the environment beside the database. @throws Error with a sentence for the owner
 */
export async function restoreRepository(
  config: Pick<Config, 'databaseFile' | 'uploadsDir'>,
  opened: Omit<Repository, 'work'>,
  wanted: string | undefined,
  progress: Progress,
): Promise<Manifest> {
  await requireEmpty(config)
  return alone(config.databaseFile, async () => {
    const repository = { ...opened, work: resticFolder(config.databaseFile) }
    const { id } = await chosenSnapshot(repository, wanted, progress)
    const folder = join(repository.work, 'restored')
    await restoreSnapshot(repository, id, folder)
    const read: BackupReader = async sink => {
      const manifest = await readStaged(folder, sink)
      // Before the database: a site that starts without its key makes a new one.
      if (await exists(join(folder, keyEntry))) await restoreKey(join(folder, keyEntry), config, progress)
      await copyFile(join(folder, settingsEntry), settings)
      return manifest
    }
    const settings = join(dirname(config.databaseFile), 'restored.env')
    const manifest = await restoreFrom(config, `The backup ${id.slice(0, 8)}`, read, progress)
    progress(`The settings of its environment: ${settings}`)
    return manifest
  })
}

async function chosenSnapshot(
  repository: Repository,
  wanted: string | undefined,
  progress: Progress,
): Promise<Snapshot> {
  const location = locationOf(repository.target)
  const state = await repositoryState(repository)
  if (state === 'missing') throw new Error(`There are no backups at ${location}.`)
  if (state === 'locked') throw new Error('The phrase does not open these backups.')
  const snapshots = await listSnapshots(repository, wanted)
  for (const { at, id, isAhead, tags } of snapshots.slice(0, shown))
    progress(
      `${id.slice(0, 8)}  ${at}  ${[...tags.filter(tag => tag.includes('-')), ...(isAhead ? ['dated ahead'] : [])].join(', ')}`,
    )
  const [chosen] = snapshots
  if (!chosen) throw new Error(`There is no backup ${wanted ?? ''} at ${location}.`.replace('  ', ' '))
  return chosen
}

/** A key that is already there may be another one, so both are kept. */
async function restoreKey(
  from: string,
  { databaseFile }: Pick<Config, 'databaseFile'>,
  progress: Progress,
): Promise<void> {
  const key = keyPathOf(databaseFile)
  if (!(await exists(key))) return copyFile(from, key)
  if ((await readFile(key)).equals(await readFile(from))) return
  await copyFile(from, `${key}.restored`)
  progress(`Another key is already there. The one of the backup: ${key}.restored`)
}
