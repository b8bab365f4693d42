import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import packageJson from '../../../../../package.json' with { type: 'json' }
import { type Config, settingNames } from '../../../kernel/config.ts'
import { orphansFolder } from '../../../kernel/upload-folder.ts'
import { errorCode, exists } from '../../../lib/disk.ts'
import { keyPathOf } from '../../../lib/installation-key.ts'
import { hashFile } from '../../../lib/sha256.ts'
import {
  BackupDamagedError,
  databaseEntry,
  fileEntry,
  type Manifest,
  orphanEntry,
  parseManifest,
} from '../archive.ts'
import { takeSnapshot } from '../make-backup.ts'

const manifestEntry = 'manifest.json'
/** What a backup elsewhere has besides the plain archive: whoever opens it has everything anyway (INST-25). */
export const keyEntry = 'secret.key'
export const settingsEntry = 'settings.env'

/**
 * Lays out a backup as files, for restic: the database, then the write-once files that it names as hard links, so that
 * nothing is copied. The same names and hashes as in a plain archive, the key, and the settings of the environment.
 * Returns the number of stored files.
 */
export async function stageBackup(
  config: Pick<Config, 'databaseFile' | 'uploadsDir'>,
  folder: string,
  at: Date,
  environment: Record<string, string | undefined>,
): Promise<number> {
  for (const name of ['files', 'orphans']) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const rows = takeSnapshot(config, join(folder, databaseEntry))
  const entries = [await hashed(folder, databaseEntry)]
  const damaged: Manifest['damaged'] = []
  for (const { sha256, sizeBytes, storageName } of rows) {
    const name = fileEntry(storageName)
    const isThere =
      (await linked(join(config.uploadsDir, storageName), join(folder, name))) ||
      (await linked(join(config.uploadsDir, orphansFolder, storageName), join(folder, name)))
    if (isThere) entries.push({ name, sha256, sizeBytes })
    else damaged.push({ name: storageName, problem: 'missing' })
  }
  const files = entries.length - 1
  for (const orphan of await orphansOf(config.uploadsDir, new Set(rows.map(row => row.storageName)))) {
    const name = orphanEntry(orphan)
    if (await linked(join(config.uploadsDir, orphansFolder, orphan), join(folder, name)))
      entries.push(await hashed(folder, name))
  }
  const keyFile = keyPathOf(config.databaseFile)
  const hasKey = await exists(keyFile)
  const manifest: Manifest = {
    format: 1,
    createdAt: at.toISOString(),
    program: packageJson.version,
    entries,
    damaged,
    hasKey,
  }
  await writeFile(join(folder, manifestEntry), JSON.stringify(manifest), { mode: 0o600 })
  if (hasKey) await copyFile(keyFile, join(folder, keyEntry))
  const settings = settingNames.flatMap(name => (environment[name] ? [`${name}=${environment[name]}`] : []))
  await writeFile(join(folder, settingsEntry), `${settings.join('\n')}\n`, { mode: 0o600 })
  return files
}

async function orphansOf(uploadsDir: string, known: ReadonlySet<string>): Promise<string[]> {
  const folder = join(uploadsDir, orphansFolder)
  if (!(await exists(folder))) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.filter(entry => entry.isFile() && !known.has(entry.name)).map(({ name }) => name)
}

/** False if the file is missing. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    // Some file systems have no hard links.
    await copyFile(from, to)
    return true
  }
}

const hashed = async (folder: string, name: string) => ({ name, ...(await hashFile(join(folder, name))) })

/**
 * Reads a backup that restic restored into a folder, and checks every hash. restic verifies its own data, so a file with
 * another hash was damaged when the backup was made: the result lists it as damaged, and everything else is restored.
 * `some` checks only the files that are there.
 * @throws BackupDamagedError without a manifest, with a missing file, or for a damaged database
 */
export async function readStaged(
  folder: string,
  sink: ((name: string) => Writable) | undefined,
  some = false,
): Promise<Manifest> {
  const text = await readFile(join(folder, manifestEntry), 'utf8').catch(() => undefined)
  if (text === undefined) throw new BackupDamagedError('It has no manifest.')
  const manifest = parseManifest(text)
  for (const name of [settingsEntry, ...(manifest.hasKey ? [keyEntry] : [])])
    if (!some && !(await exists(join(folder, name))))
      throw new BackupDamagedError(`${name} is missing in it.`)
  const damaged = [...manifest.damaged]
  for (const { name, sha256 } of manifest.entries) {
    const path = join(folder, name)
    if (!(await exists(path))) {
      if (some && name !== databaseEntry) continue
      throw new BackupDamagedError(`${name} is missing in it.`)
    }
    if ((await hashFile(path)).sha256 !== sha256) {
      if (name === databaseEntry) throw new BackupDamagedError(`${name} is damaged in it.`)
      damaged.push({ name: basename(name), problem: 'damaged' })
    }
    if (sink) await pipeline(createReadStream(path), sink(name))
  }
  return { ...manifest, damaged }
}
