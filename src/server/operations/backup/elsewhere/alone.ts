import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { AppError } from '../../../../domain/common/errors.ts'
import { backupMessages } from '../../../../domain/content/backup-target.ts'
import { errorCode } from '../../../lib/disk.ts'

/** restic's working files, beside the database. */
export const resticFolder = (databaseFile: string): string => join(dirname(databaseFile), 'restic')

/**
 * Runs what uses restic, one at a time across processes. The lock is one of SQLite's: the kernel frees it when its
 * process dies. What earlier work left in restic's folder, decrypted perhaps, is removed before and after, also when
 * this process exits. @throws AppError conflict while another runs
 */
export async function alone<T>(databaseFile: string, work: () => Promise<T>): Promise<T> {
  const folder = resticFolder(databaseFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = new SqliteDatabase(join(folder, 'lock'), { timeout: 0 })
  const clean = () => {
    for (const name of readdirSync(folder))
      if (name !== 'known_hosts' && name !== 'lock')
        rmSync(join(folder, name), { recursive: true, force: true })
  }
  try {
    lock.exec('begin exclusive')
    process.once('exit', clean)
    clean()
    return await work()
  } catch (error) {
    if (errorCode(error) === 'SQLITE_BUSY' && !lock.inTransaction)
      throw new AppError('conflict', backupMessages.running, { cause: error })
    throw error
  } finally {
    if (lock.inTransaction) clean()
    process.off('exit', clean)
    lock.close()
  }
}
