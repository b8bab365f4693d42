import { parentPort } from 'node:worker_threads'
import { AppError } from '../../domain/common/errors.ts'
import type { JobReply, JobRequest } from './worker-queue.ts'

/** Handles a worker queue's jobs, inside its thread. */
export function handleJobs(jobs: Record<string, (input: never) => unknown>): void {
  parentPort?.on('message', ({ id, name, input }: JobRequest) => {
    parentPort?.postMessage(replyTo(id, () => jobs[name]?.(input as never)))
  })
}

function replyTo(id: number, work: () => unknown): JobReply {
  try {
    return { id, value: work() }
  } catch (error) {
    if (!(error instanceof AppError)) return { id, error }
    const { code, message, fields } = error
    return { id, refusal: { code, message, fields } }
  }
}
