import { open, stat, writeFile } from 'node:fs/promises'

/** The operating system's or SQLite's code of a failure, such as `ENOENT`; empty for an error without one. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** Full, or beyond what this user may use of it. */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|EFBIG|SQLITE_FULL)/.test(errorCode(error))

/** For `catch`: this value where there is no such file; any other error stays one. */
export const unlessMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (errorCode(error) === 'ENOENT') return value
    throw error
  }

/** @throws what keeps it from being known, such as a folder that may not be read */
export const exists = (path: string): Promise<boolean> => stat(path).then(() => true, unlessMissing(false))

/** Writes a file that only this user can read; resolves when it is on disk. `wx` refuses a file that exists. */
export const writeDurably = (path: string, content: string | Uint8Array, flag: 'w' | 'wx'): Promise<void> =>
  writeFile(path, content, { flag, mode: 0o600, flush: true })

/** Resolves when the names in the folder, after a rename for example, are on disk. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
