import { join } from 'node:path'
import type { ResourceLimits } from 'node:worker_threads'
import { projectRoot } from '../../../../db/project-root.ts'
import { createWorkerQueue } from '../../lib/worker-queue.ts'
import type { PdfJobs } from './pdf-jobs.ts'

/**
 * Renders PDFs and decodes signature images in a worker thread, one at a time.
 * @throws AppError unavailable when the queue is full or a job takes too long; whatever the job throws
 */
export type Renderer = {
  [Name in keyof PdfJobs]: (input: Parameters<PdfJobs[Name]>[0]) => Promise<ReturnType<PdfJobs[Name]>>
} & {
  /** Rejects queued jobs, gives the current job a moment to finish, and ends the thread. */
  close: () => Promise<void>
}

const script = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'pdf-worker.ts')
  : join(projectRoot, 'dist/server/pdf-worker.js')

/** As much as a small server can spare; with less memory a PDF takes twice as long because of garbage collection. */
const defaultLimits: ResourceLimits = { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 6 }

/** A renderer whose thread starts with the first job and ends a minute after the last. */
export function createRenderer(resourceLimits = defaultLimits): Renderer {
  const queue = createWorkerQueue({
    script,
    maxWaiting: 20,
    jobTimeoutMs: 20_000,
    idleMs: 60_000,
    closeWithinMs: 3000,
    resourceLimits,
  })
  const job =
    <Name extends keyof PdfJobs>(name: Name) =>
    (input: Parameters<PdfJobs[Name]>[0]) =>
      queue.run(name, input) as Promise<ReturnType<PdfJobs[Name]>>
  return {
    leasePdf: job('leasePdf'),
    signedLeasePdf: job('signedLeasePdf'),
    receiptPdf: job('receiptPdf'),
    signatureImage: job('signatureImage'),
    close: queue.close,
  }
}
