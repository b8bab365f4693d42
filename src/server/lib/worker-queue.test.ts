import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../../../db/project-root.ts'
import { createWorkerQueue, type WorkerQueue, type WorkerQueueOptions } from './worker-queue.ts'

let queue: WorkerQueue | undefined
afterEach(() => queue?.close())

function open(options: Partial<WorkerQueueOptions> = {}): WorkerQueue {
  queue = createWorkerQueue({
    script: join(projectRoot, 'src/testing/worker-jobs.ts'),
    maxWaiting: 3,
    jobTimeoutMs: 10_000,
    idleMs: 10_000,
    closeWithinMs: 50,
    resourceLimits: { maxOldGenerationSizeMb: 32 },
    ...options,
  })
  return queue
}

/** A job that runs until `letGo` is called. */
function held({ run }: WorkerQueue) {
  const shared = new Int32Array(new SharedArrayBuffer(4))
  return {
    done: run('wait', shared),
    letGo: () => {
      Atomics.store(shared, 0, 1)
      Atomics.notify(shared, 0)
    },
  }
}

const unavailable = { code: 'unavailable', retryAfterSeconds: expect.any(Number) }

test('runs jobs one after another in a worker thread [FIX-19]', async () => {
  const { run } = open()
  const [one, two, bytes] = await Promise.all([run('thread', 0), run('thread', 0), run('bytes', 5)])
  expect(one).not.toBe(threadId)
  expect(two).toBe(one)
  expect(bytes).toEqual(new Uint8Array(5).fill(7))
})

test('rejects jobs beyond the queue limit with a retry time, and accepts jobs again afterwards [FIX-19]', async () => {
  const opened = open()
  const first = held(opened)
  const waiting = [1, 2, 3].map(() => opened.run('thread', 0))
  await expect(opened.run('thread', 0)).rejects.toMatchObject({ ...unavailable, status: 503 })
  first.letGo()
  const thread = await first.done
  expect(await Promise.all(waiting)).toEqual([thread, thread, thread])
  expect(await opened.run('thread', 0)).toBe(thread)
})

test('passes on the error of a job, and keeps an AppError an AppError [FIX-19]', async () => {
  const { run } = open()
  await expect(run('refuse', 0)).rejects.toMatchObject({
    name: 'AppError',
    code: 'bad_request',
    message: 'This is wrong.',
    fields: { name: 'wrong' },
  })
  await expect(run('fail', 0)).rejects.toMatchObject({ name: 'TypeError', message: 'a fault of ours' })
  expect(await run('thread', 0)).toBeGreaterThan(0)
})

test.each([
  ['ends', 'crash'],
  ['needs too much memory', 'swell'],
])('fails a job whose thread %s, and runs the next job in a new thread [FIX-19]', async (_title, job) => {
  const { run } = open()
  const before = await run('thread', 0)
  const outcomes = await Promise.allSettled([run(job, 0), run('thread', 0)])
  expect(outcomes).toMatchObject([
    { status: 'rejected', reason: expect.any(Error) },
    { status: 'fulfilled', value: expect.any(Number) },
  ])
  expect(await run('thread', 0)).not.toBe(before)
})

test('terminates a job that takes too long, and runs the next job in a new thread [FIX-19]', async () => {
  const opened = open({ jobTimeoutMs: 1000 })
  const before = await opened.run('thread', 0)
  const endless = held(opened)
  const next = opened.run('thread', 0)
  await expect(endless.done).rejects.toMatchObject(unavailable)
  expect(await next).not.toBe(before)
})

test('terminates an idle thread, and starts a new thread for the next job [FIX-19]', async () => {
  const { run } = open({ idleMs: 20 })
  const before = await run('thread', 0)
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await run('thread', 0)).not.toBe(before)
})

test('on close, rejects waiting and later jobs, and lets the current job finish [FIX-19]', async () => {
  const opened = open({ closeWithinMs: 10_000 })
  const first = held(opened)
  const waiting = opened.run('thread', 0)
  const closed = opened.close()
  await expect(waiting).rejects.toMatchObject(unavailable)
  await expect(opened.run('thread', 0)).rejects.toMatchObject(unavailable)
  first.letGo()
  expect(await first.done).toBeGreaterThan(0)
  await closed
})

test('on close, terminates and fails an endless job [FIX-19]', async () => {
  const opened = open()
  const outcome = held(opened).done.catch(error => error)
  await opened.close()
  expect(await outcome).toMatchObject(unavailable)
})

test('fails a job whose worker script does not start [FIX-19]', async () => {
  const { run } = open({ script: join(projectRoot, 'src/testing/no-such-worker.ts') })
  await expect(run('thread', 0)).rejects.toThrow(/no-such-worker/)
})
