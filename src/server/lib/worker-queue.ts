import { type ResourceLimits, Worker } from 'node:worker_threads'
import { AppError, type ErrorCode, type FieldErrors } from '../../domain/common/errors.ts'

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

export type JobRequest = { id: number; name: string; input: unknown }
/** An `AppError` is sent as its fields, because errors lose their class between threads. */
export type JobReply =
  | { id: number; value: unknown }
  | { id: number; refusal: { code: ErrorCode; message: string; fields: FieldErrors | undefined } }
  | { id: number; error: unknown }

type Job = JobRequest & { resolve: (value: unknown) => void; reject: (error: unknown) => void }

/** One worker thread with a bounded queue. It starts with the first job, and restarts after a crash. */
export function createWorkerQueue(options: WorkerQueueOptions): WorkerQueue {
  const waiting: Job[] = []
  let current: Job | undefined
  let timer: NodeJS.Timeout | undefined
  let count = 0
  let isClosed = false
  let onFinished: (() => void) | undefined
  const thread = createThread(options, {
    onReply(reply) {
      if (reply.id === current?.id) finish(job => settle(job, reply))
    },
    // The current job fails; waiting jobs get a new thread.
    onEnd: cause => finish(job => job.reject(isClosed ? closed() : cause)),
  })

  function next(): void {
    if (current) return
    clearTimeout(timer)
    current = waiting.shift()
    if (!current) {
      timer = setTimeout(() => void thread.end(undefined), options.idleMs).unref()
      return
    }
    const { id, name, input } = current
    timer = setTimeout(() => void thread.end(tooLong(name)), options.jobTimeoutMs)
    thread.post({ id, name, input })
  }

  function finish(settleJob: (job: Job) => void): void {
    const job = current
    current = undefined
    if (job) settleJob(job)
    onFinished?.()
    next()
  }

  return {
    run: (name, input) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closed())
        if (waiting.length >= options.maxWaiting) return reject(busy())
        waiting.push({ id: ++count, name, input, resolve, reject })
        next()
      }),
    async close() {
      isClosed = true
      for (const job of waiting.splice(0)) job.reject(closed())
      if (current)
        await new Promise<void>(resolve => {
          onFinished = resolve
          setTimeout(resolve, options.closeWithinMs).unref()
        })
      const ended = thread.end(undefined)
      clearTimeout(timer)
      await ended
    },
  }
}

type ThreadEvents = { onReply: (reply: JobReply) => void; onEnd: (cause: unknown) => void }

/** The thread of a queue: `post` starts it, also again after it has ended. */
function createThread({ script, resourceLimits }: WorkerQueueOptions, { onReply, onEnd }: ThreadEvents) {
  let worker: Worker | undefined

  function start(): Worker {
    const started = new Worker(script, { resourceLimits })
    // An idle worker must not keep the process alive.
    started.unref()
    let cause: unknown
    started.on('message', onReply)
    started.on('messageerror', error => void lose(started, error))
    started.on('error', error => {
      cause = error
    })
    started.on('exit', code => void lose(started, cause ?? new Error(`the worker thread ended with ${code}`)))
    return started
  }

  /** Handles the end of the current thread; the end of an earlier thread changes nothing. */
  async function lose(lost: Worker | undefined, cause: unknown): Promise<void> {
    if (lost === undefined || lost !== worker) return
    worker = undefined
    const terminated = lost.terminate()
    onEnd(cause)
    await terminated
  }

  return {
    post(request: JobRequest): void {
      worker ??= start()
      worker.postMessage(request)
    },
    /** Resolves once the thread is gone. */
    end: (cause: unknown) => lose(worker, cause),
  }
}

function settle(job: Job, reply: JobReply): void {
  if ('value' in reply) job.resolve(reply.value)
  else if ('refusal' in reply) {
    const { code, message, fields } = reply.refusal
    job.reject(new AppError(code, message, { fields }))
  } else job.reject(reply.error)
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
