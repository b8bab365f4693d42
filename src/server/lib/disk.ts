import { open, stat, writeFile } from 'node:fs/promises'

/** The error code of the operating system or SQLite, such as `ENOENT`; empty for an error without a code. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Whether the disk is full or this user's quota is used up. */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)/.test(errorCode(error))

/** For `catch`: returns `value` if the file does not exist; rethrows any other error. */
export const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (errorCode(error) === 'ENOENT') return value
    throw error
  }

/** Whether the path exists. @throws if that cannot be determined, for example in a folder without read permission */
export const exists = (path: string): Promise<boolean> => stat(path).then(() => true, ifMissing(false))

/** Writes a file that only this user can read; resolves when it is on disk. `wx` refuses a file that exists. */
export const writeDurably = (path: string, content: string | Uint8Array, flag: 'w' | 'wx'): Promise<void> =>
  writeFile(path, content, { flag, mode: 0o600, flush: true })

/** Resolves when the folder's entries, for example after a rename, are on disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
