import { mkdirSync } from 'node:fs'
import { pino } from 'pino'
import { openDatabase } from '../../db/open.ts'
import { pairStore, refuseForeignFiles } from './files/store-id.ts'
import type { Config } from './kernel/config.ts'
import { type Clock, type Deps, systemClock } from './kernel/deps.ts'
import { createFileStore } from './kernel/file-store.ts'
import { createLimits } from './kernel/limits.ts'
import { createPasswords } from './kernel/passwords.ts'
import { createWrite } from './kernel/write.ts'
import { createRenderer } from './pdf/renderer.ts'

/** What a caller brings in place of the real thing: the far ends of mail and payment, the clock in tests. */
export type DepsOverrides = Partial<
  Pick<Deps, 'clock' | 'provider' | 'mail' | 'log' | 'limits' | 'passwords' | 'renderer'>
>
type Assembled = { deps: Deps; close: () => void }

/**
 * Opens the storage and puts the dependencies together, for the server, the command line and the tests.
 * @throws DatabaseError; ConfigError when database and folder of files do not belong together
 */
export async function createDeps(config: Config, replacements: DepsOverrides = {}): Promise<Assembled> {
  refuseForeignFiles(config)
  const { sqlite, db, close } = openDatabase(config.databaseFile)
  const clock: Clock = replacements.clock ?? systemClock
  mkdirSync(config.uploadsDir, { recursive: true, mode: 0o700 })
  // The connection's own commits are counted here; SQLite tells of those of other processes, such as the command line.
  let commits = 0
  const readOthers = sqlite.prepare('PRAGMA data_version').pluck()
  let others: unknown
  const othersNow = () => {
    // One look, which takes a lock, serves all requests that came in together.
    if (others === undefined) {
      others = readOthers.get()
      setImmediate(() => {
        others = undefined
      })
    }
    return others
  }
  const deps: Deps = {
    config,
    db,
    clock,
    write: createWrite(sqlite, db, () => {
      commits += 1
    }),
    dataVersion: () => `${commits} ${othersNow()}`,
    log: replacements.log ?? pino({ level: config.logLevel }),
    files: await createFileStore(config.uploadsDir),
    passwords: replacements.passwords ?? createPasswords(),
    limits: replacements.limits ?? createLimits(config.rateLimits),
    renderer: replacements.renderer ?? createRenderer(),
    provider: replacements.provider,
    mail: replacements.mail,
  }
  try {
    await pairStore(deps)
  } catch (error) {
    close()
    throw error
  }
  return {
    deps,
    close: () => {
      if (!replacements.renderer) void deps.renderer.close()
      sqlite.pragma('wal_checkpoint(TRUNCATE)')
      close()
    },
  }
}
