import { parentPort } from 'node:worker_threads'
import { AppError, type ErrorCode, type FieldErrors } from '../../domain/common/errors.ts'

/** An `AppError` is sent as its fields, because errors lose their class between threads. */
export type JobReply =
  | { value: unknown }
  | { refusal: { code: ErrorCode; message: string; fields: FieldErrors | undefined } }
  | { error: unknown }

/** Handles a worker queue's jobs, inside its thread. */
export function handleJobs(jobs: Record<string, (input: never) => unknown>): void {
  parentPort?.on('message', async ({ name, input }: { name: string; input: unknown }) => {
    parentPort?.postMessage(await replyTo(async () => jobs[name]?.(input as never)))
  })
}

async function replyTo(work: () => Promise<unknown>): Promise<JobReply> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof AppError)) return { error }
    const { code, message, fields } = error
    return { refusal: { code, message, fields } }
  }
}
