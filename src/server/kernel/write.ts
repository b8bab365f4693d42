import { setTimeout as sleep } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import { openDatabase, type Sqlite, type Tx } from '../../../db/open.ts'
import { AppError } from '../../domain/common/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'

/**
 * Runs `work` in a transaction and resolves with its result after the COMMIT is on disk. Concurrent calls share a
 * transaction (and fsync), each in its own savepoint, so that a failure rolls back only its own changes.
 * `work` must be synchronous: no await, no network and no file access.
 * @throws AppError unavailable when the database stays locked or the disk is full; any error of `work`
 */
export type Write = <T>(work: (tx: Tx) => T) => Promise<T>
/**
 * The same for long work, which yields often: other requests are answered in between, with the data before it. Only
 * the COMMIT at the end makes its changes visible. Other writes wait until then. `deps.db` does not show its changes.
 */
export type WriteInParts = <T>(work: (tx: Tx) => Generator<void, T>) => Promise<T>

type Settled = { resolve: (value: unknown) => void; reject: (reason: unknown) => void }
type Job = Settled & { work: (tx: Tx) => unknown }
type LongJob = Settled & { parts: (tx: Tx) => Generator<void, unknown> }
type Control = Record<'begin' | 'commit' | 'savepoint' | 'release', Statement>
type Outcome = { job: Job; ok: boolean; value: unknown }

const lockedForMs = 2000
/** After this time in one transaction, the remaining work moves to the next. */
const sliceMs = 20
/** After this time, long work pauses: others need several turns, and other threads, to answer a request. */
export const partMs = 5
const pauseMs = 1
const retryIntervalMs = 25

/**
 * The only way to change the database. `onCommit` is called after each commit is on disk. Long work has a connection of
 * its own, so that others do not see its changes before the COMMIT.
 */
export function createWrite(
  sqlite: Sqlite,
  tx: Tx,
  onCommit: () => void = () => {},
): Write & { inParts: WriteInParts } {
  const control = {
    begin: sqlite.prepare('BEGIN IMMEDIATE'),
    commit: sqlite.prepare('COMMIT'),
    savepoint: sqlite.prepare('SAVEPOINT work'),
    release: sqlite.prepare('RELEASE work'),
  }
  let queue: (Job | LongJob)[] = []
  let running = false

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const [first] = queue
      if (first && 'parts' in first) {
        queue = queue.slice(1)
        await runInParts(first)
        continue
      }
      const batch = queue.slice(0, lengthOfBatch(queue)).filter(job => 'work' in job)
      queue = queue.slice(batch.length)
      await begin(control.begin).then(
        () => {
          const left = commitSlice(batch)
          queue = [...left, ...queue]
        },
        error => {
          for (const job of batch) job.reject(asAppError(error))
        },
      )
      if (queue.length > 0) await yieldToEventLoop()
    }
    running = false
  }

  /** Returns the remaining jobs, for the next transaction. */
  function commitSlice(batch: Job[]): Job[] {
    const until = performance.now() + sliceMs
    const outcomes: Outcome[] = []
    let taken = 0
    try {
      for (const job of batch) {
        if (taken > 0 && performance.now() > until) break
        taken++
        outcomes.push(runInSavepoint(sqlite, control, tx, job))
      }
      control.commit.run()
    } catch (error) {
      if (sqlite.inTransaction) sqlite.exec('ROLLBACK')
      for (const job of batch.slice(0, taken)) job.reject(asAppError(error))
      return batch.slice(taken)
    }
    // If all of them failed, nothing has changed.
    if (outcomes.some(({ ok }) => ok)) onCommit()
    for (const outcome of outcomes) settle(outcome)
    return batch.slice(taken)
  }

  async function runInParts({ parts, reject, resolve }: LongJob): Promise<void> {
    const other = openDatabase(sqlite.name)
    try {
      await begin(other.sqlite.prepare('BEGIN IMMEDIATE'))
      const value = await finish(parts(other.db))
      other.sqlite.exec('COMMIT')
      onCommit()
      resolve(value)
    } catch (error) {
      if (other.sqlite.inTransaction) other.sqlite.exec('ROLLBACK')
      reject(asAppError(error))
    } finally {
      other.close()
    }
  }

  const enqueue = (job: Job | LongJob) => {
    queue.push(job)
    if (running) return
    running = true
    setImmediate(() => void drain())
  }
  const write = <T>(work: (tx: Tx) => T) =>
    new Promise<T>((resolve, reject) => enqueue({ work, resolve: resolve as Settled['resolve'], reject }))
  const inParts = <T>(parts: (tx: Tx) => Generator<void, T>) =>
    new Promise<T>((resolve, reject) => enqueue({ parts, resolve: resolve as Settled['resolve'], reject }))
  return Object.assign(write, { inParts })
}

/** The jobs before the next long one. */
function lengthOfBatch(queue: readonly (Job | LongJob)[]): number {
  const next = queue.findIndex(job => 'parts' in job)
  return next === -1 ? queue.length : next
}

/** Runs all parts; now and then, other requests have a turn. */
async function finish<T>(parts: Generator<void, T>): Promise<T> {
  let until = performance.now() + partMs
  for (let step = parts.next(); ; step = parts.next()) {
    if (step.done) return step.value
    if (performance.now() <= until) continue
    await sleep(pauseMs)
    until = performance.now() + partMs
  }
}

/** Retries on a locked database for two seconds, without blocking the process. */
async function begin(begin: Statement): Promise<void> {
  const giveUpAt = performance.now() + lockedForMs
  while (true) {
    try {
      begin.run()
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await sleep(retryIntervalMs)
    }
  }
}

function runInSavepoint(sqlite: Sqlite, control: Control, tx: Tx, job: Job): Outcome {
  control.savepoint.run()
  try {
    const value = job.work(tx)
    if (value instanceof Promise) throw new TypeError('work inside write() must be synchronous')
    control.release.run()
    return { job, ok: true, value }
  } catch (error) {
    // On a full disk SQLite rolls back the whole transaction.
    if (!sqlite.inTransaction) throw error
    sqlite.exec('ROLLBACK TO work')
    control.release.run()
    return { job, ok: false, value: error }
  }
}

function settle({ job, ok, value }: Outcome): void {
  if (ok) job.resolve(value)
  else job.reject(asAppError(value))
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
