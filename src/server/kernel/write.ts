import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Sqlite, type Tx } from '../../../db/open.ts'
import { AppError } from '../../domain/common/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'

/**
 * Runs `work` in a transaction and resolves with its result after the COMMIT is on disk. Any error rolls it back.
 * `work` must be synchronous: no await, no network and no file access.
 * @throws AppError unavailable when the database stays locked or the disk is full; any error of `work`
 */
export type Write = <T>(work: (tx: Tx) => T) => Promise<T>
/**
 * The same for long work, which yields often: other requests are answered in between, with the data before it. Only
 * the COMMIT at the end makes its changes visible. Other writes wait until then. `deps.db` does not show its changes.
 */
export type WriteInParts = <T>(work: (tx: Tx) => Generator<void, T>) => Promise<T>

const lockedForMs = 2000
/** After this time, long work pauses: others need several turns, and other threads, to answer a request. */
export const partMs = 5
const pauseMs = 1
const retryIntervalMs = 25
/** After a long write, other requests are answered before the next one, which copies its log into the database. */
const restMs = 20

/**
 * The only way to change the database: one write at a time, in the order of the calls. `onCommit` is called after each
 * commit is on disk. Long work has a connection of its own, so that others do not see its changes before the COMMIT.
 */
export function createWrite(
  sqlite: Sqlite,
  tx: Tx,
  onCommit: () => void = () => {},
): Write & { inParts: WriteInParts } {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs after all earlier writes; other requests have a turn before it. */
  function inTurn<T>(run: () => Promise<T>, restMs = 0): Promise<T> {
    const result = last.then(yieldToEventLoop).then(run)
    last = result.catch(() => {}).then(() => (restMs > 0 ? sleep(restMs) : undefined))
    return result
  }

  async function transact<T>(connection: Sqlite, work: () => T | Promise<T>): Promise<T> {
    try {
      await begin(connection)
      const result = work()
      // Without an await after short work: nobody else may use the connection before the COMMIT.
      const value = result instanceof Promise ? await result : result
      connection.exec('COMMIT')
      onCommit()
      return value
    } catch (error) {
      // On a full disk SQLite rolls back itself.
      if (connection.inTransaction) connection.exec('ROLLBACK')
      throw asAppError(error)
    }
  }

  const write = <T>(work: (tx: Tx) => T) =>
    inTurn(() =>
      transact(sqlite, () => {
        const value = work(tx)
        if (value instanceof Promise) throw new TypeError('work inside write() must be synchronous')
        return value
      }),
    )
  const inParts = <T>(parts: (tx: Tx) => Generator<void, T>) =>
    inTurn(async () => {
      const own = openDatabase(sqlite.name)
      // Its COMMIT would also copy the log into the database, which waits for the disk; the next write does that.
      own.sqlite.pragma('wal_autocheckpoint = 0')
      // Changed pages go to the log early, so that the COMMIT has few left to write.
      own.sqlite.pragma('cache_size = -256')
      try {
        return await transact(own.sqlite, () => finish(parts(own.db)))
      } finally {
        own.close()
      }
    }, restMs)
  return Object.assign(write, { inParts })
}

/** Runs all parts; now and then, other requests have a turn. */
export async function finish<T>(parts: Generator<void, T>): Promise<T> {
  let until = performance.now() + partMs
  for (let step = parts.next(); ; step = parts.next()) {
    if (step.done) return step.value
    if (performance.now() <= until) continue
    await sleep(pauseMs)
    until = performance.now() + partMs
  }
}

/** Retries on a locked database for two seconds, without blocking the process. */
async function begin(connection: Sqlite): Promise<void> {
  const giveUpAt = performance.now() + lockedForMs
  while (true) {
    try {
      connection.exec('BEGIN IMMEDIATE')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await sleep(retryIntervalMs)
    }
  }
}

const sqliteCode = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
const isBusy = (error: unknown) => /^SQLITE_(BUSY|LOCKED)/.test(sqliteCode(error))
const isFull = (error: unknown) => /^SQLITE_(FULL|IOERR|CANTOPEN)/.test(sqliteCode(error))

function asAppError(error: unknown): unknown {
  if (isBusy(error))
    return new AppError('unavailable', 'The site is busy. Please try again in a moment.', {
      cause: error,
      retryAfterSeconds: 2,
    })
  if (isFull(error))
    return new AppError('unavailable', 'Nothing can be stored at the moment. Please try again later.', {
      cause: error,
      retryAfterSeconds: 60,
    })
  return error
}
