import { createHmac, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { link, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode, exists, syncFolder, writeDurably } from './disk.ts'

/** Encrypts secrets in the database. `id` is derived from the key but not secret: each sealed text contains it. */
export type InstallationKey = { id: string; bytes: Buffer }

/** The key as it was found or created at the start. */
export type KeyState =
  | {
      state: 'ready'
      key: InstallationKey
      /** Created by this start: any secrets sealed before were sealed with a key that is lost. */
      isNew: boolean
      /** Other users could read the file until this start. */
      wasExposed: boolean
    }
  /** The file exists but cannot be used. It is left unchanged, because its owner may have a copy of the right key. */
  | { state: 'damaged' | 'unreadable'; path: string; message: string }

export const keyFileName = 'secret.key'
const keyBytes = 32
const ownerOnly = 0o600

/** The path of a database's key file, in the same folder. */
export const keyPathOf = (databaseFile: string): string => join(dirname(databaseFile), keyFileName)

/**
 * Reads the key beside the database, or creates it if there is none. Processes that start at the same time load the
 * same key. An unusable key is a state, not an error, so that everything that needs no key still works.
 * @throws when a new key cannot be written, for example because the disk is full
 */
export async function loadInstallationKey(databaseFile: string): Promise<KeyState> {
  if (databaseFile === ':memory:') return ready(randomBytes(keyBytes), { isNew: true, wasExposed: false })
  const path = keyPathOf(databaseFile)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return readKey(path, await makeKey(path), closeToOthers)
}

/** Reads the key beside a database without creating or changing anything. Undefined if there is none. */
export async function findInstallationKey(databaseFile: string): Promise<KeyState | undefined> {
  const path = keyPathOf(databaseFile)
  return (await exists(path)) ? readKey(path, false, isOpenToOthers) : undefined
}

async function readKey(
  path: string,
  isNew: boolean,
  isExposed: (path: string) => boolean,
): Promise<KeyState> {
  try {
    const wasExposed = isExposed(path)
    const bytes = await readFile(path)
    if (bytes.byteLength === keyBytes) return ready(bytes, { isNew, wasExposed })
    const message = `${path} is damaged: it has ${bytes.byteLength} bytes instead of ${keyBytes}. Put the copy of it back that you keep apart from the backups.`
    return { state: 'damaged', path, message }
  } catch (error) {
    return { state: 'unreadable', path, message: `${path} cannot be read (${errorCode(error)}).` }
  }
}

function ready(bytes: Buffer, found: { isNew: boolean; wasExposed: boolean }): KeyState {
  const id = createHmac('sha256', bytes).update('id of the installation key').digest('hex').slice(0, 16)
  return { state: 'ready', key: { id, bytes }, ...found }
}

/** Creates the key file whole or not at all, even if the process is killed. Returns false if it exists. */
async function makeKey(path: string): Promise<boolean> {
  if (await exists(path)) return false
  const temporary = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await writeDurably(temporary, randomBytes(keyBytes), 'wx')
    await link(temporary, path)
    await syncFolder(dirname(path))
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Whether other users could read the file; sets its mode to 0600 if possible. */
function closeToOthers(path: string): boolean {
  if (!isOpenToOthers(path)) return false
  try {
    chmodSync(path, ownerOnly)
  } catch {
    // A key on a read-only disk, or owned by another user, still works; the start logs a warning.
  }
  return true
}

function isOpenToOthers(path: string): boolean {
  const stats = statSync(path)
  return stats.isFile() && (stats.mode & 0o077) !== 0
}
