import { join } from 'node:path'
import type { ResourceLimits } from 'node:worker_threads'
import { projectRoot } from '../../../db/project-root.ts'
import type { PdfJobs } from './pdf-jobs.ts'
import { createWorkerQueue } from './worker-queue.ts'

/**
 * Draws PDFs and decodes signature pictures in a thread of its own, one after another, so that other requests do not
 * wait for them. @throws AppError unavailable when too many wait or it takes too long; what the job throws
 */
export type Renderer = {
  [Name in keyof PdfJobs]: (input: Parameters<PdfJobs[Name]>[0]) => Promise<ReturnType<PdfJobs[Name]>>
} & {
  /** Refuses what waits, gives the job under way a moment to finish, and ends the thread. */
  close: () => Promise<void>
}

/** From the bundle it runs the bundle's worker, from the source the source's. */
const script = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'pdf-worker.ts')
  : join(projectRoot, 'dist/server/pdf-worker.js')

/** What a small server can spare; with less memory a PDF takes twice as long, for collecting garbage. */
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
