import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import pLimit from 'p-limit'
import { AppError } from '../../domain/common/errors.ts'
import type { JobReply } from './handle-jobs.ts'

export type WorkerQueue = {
  /**
   * Runs a job in the worker thread, in the order of the calls.
   * @throws AppError unavailable if too many jobs wait, the job takes too long or the queue is closed; the job's error
   */
  run: (name: string, input: unknown) => Promise<unknown>
  /** Rejects waiting jobs, gives the current job a moment to finish, and terminates the thread. */
  close: () => Promise<void>
}
export type WorkerQueueOptions = {
  /** The thread's entry point, which calls `handleJobs`. */
  script: string
  /** How many jobs can wait, not counting the current one. */
  maxWaiting: number
  /** A job that takes longer fails, and its thread is terminated. */
  jobTimeoutMs: number
  /** An idle thread is terminated after this time, to free its memory. */
  idleMs: number
  /** How long `close` waits for the current job. */
  closeWithinMs: number
  resourceLimits: ResourceLimits
}

/** One worker thread with a bounded queue. It starts with the first job, and restarts after a crash. */
export function createWorkerQueue(options: WorkerQueueOptions): WorkerQueue {
  const oneAtATime = pLimit({ concurrency: 1, rejectOnClear: true })
  const unfinished = new Set<Promise<JobReply>>()
  let thread: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  function start(): Worker {
    const started = new Worker(options.script, { resourceLimits: options.resourceLimits })
    // An idle worker must not keep the process alive, or end it by an error.
    started.unref()
    started.on('error', () => {})
    started.once('exit', () => {
      if (started === thread) thread = undefined
    })
    return started
  }

  async function endThread(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.terminate()
  }

  async function work(name: string, input: unknown): Promise<JobReply> {
    clearTimeout(idleTimer)
    thread ??= start()
    try {
      return await ask(thread, name, input, options.jobTimeoutMs)
    } catch (error) {
      // Without a reply the thread is lost; waiting jobs get a new one.
      await endThread()
      throw isClosed ? closed() : error
    } finally {
      idleTimer = setTimeout(endThread, options.idleMs).unref()
    }
  }

  return {
    async run(name, input) {
      if (isClosed) throw closed()
      if (oneAtATime.activeCount + oneAtATime.pendingCount > options.maxWaiting) throw busy()
      const job = oneAtATime(work, name, input)
      unfinished.add(job)
      const reply = await job
        .catch(error => {
          throw error.name === 'AbortError' ? closed() : error
        })
        .finally(() => unfinished.delete(job))
      if ('value' in reply) return reply.value
      if ('error' in reply) throw reply.error
      const { code, message, fields } = reply.refusal
      throw new AppError(code, message, { fields })
    },
    async close() {
      isClosed = true
      oneAtATime.clearQueue()
      const current = Promise.allSettled(unfinished)
      await Promise.race([current, wait(options.closeWithinMs, undefined, { ref: false })])
      clearTimeout(idleTimer)
      await endThread()
    },
  }
}

/** The thread's reply to a job. @throws its error if it ends first; AppError if it takes too long */
async function ask(thread: Worker, name: string, input: unknown, timeoutMs: number): Promise<JobReply> {
  const done = new AbortController()
  const { signal } = done
  const replied = once(thread, 'message', { signal }).then(([reply]) => reply as JobReply)
  const ended = once(thread, 'exit', { signal }).then(([code]) => {
    throw new Error(`the worker thread ended with ${code}`)
  })
  const late = wait(timeoutMs, undefined, { signal }).then(() => {
    throw tooLong(name)
  })
  try {
    thread.postMessage({ name, input })
    return await Promise.race([replied, ended, late])
  } finally {
    done.abort()
  }
}

const busy = () =>
  new AppError('unavailable', 'The site is busy. Please try again in a moment.', { retryAfterSeconds: 2 })
const closed = () =>
  new AppError('unavailable', 'The site is about to restart. Please try again in a moment.', {
    retryAfterSeconds: 5,
  })
const tooLong = (name: string) =>
  new AppError('unavailable', 'This took too long. Please try again in a moment.', {
    retryAfterSeconds: 5,
    cause: new Error(`the job ${name} took too long`),
  })
