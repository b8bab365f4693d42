// The worker thread in tests of the job queue: jobs that return, wait, fail and crash.
import { threadId } from 'node:worker_threads'
import { AppError } from '../domain/common/errors.ts'
import { handleJobs } from '../server/lib/handle-jobs.ts'

handleJobs({
  thread: () => threadId,
  bytes: (length: number) => new Uint8Array(length).fill(7),
  /** Waits until the shared number is no longer 0. */
  wait: (shared: Int32Array) => {
    Atomics.wait(shared, 0, 0)
    return threadId
  },
  refuse: () => {
    throw new AppError('bad_request', 'This is wrong.', { fields: { name: 'wrong' } })
  },
  fail: () => {
    throw new TypeError('a fault of ours')
  },
  crash: () => process.exit(3),
  swell: () => {
    const all: string[][] = []
    while (true) all.push(Array.from({ length: 100_000 }, (_, at) => `${at} of ${all.length}`))
  },
})
