import { join } from 'node:path'
import { projectRoot } from '../../../db/project-root.ts'
import { AppError } from '../../domain/common/errors.ts'
import { createWorkerQueue, type WorkerQueueOptions } from '../lib/worker-queue.ts'
import type { ParsedCalendar } from './ical/parse-calendar.ts'
import type { ParsedMarkdown } from './parse-markdown.ts'
import type { Jobs } from './worker.ts'

type Close = {
  /** Rejects queued jobs, gives the current job a moment to finish, and ends the thread. */
  close: () => Promise<void>
}
type PdfJob =
  | 'leasePdf'
  | 'signedLeasePdf'
  | 'signingPdf'
  | 'receiptPdf'
  | 'booksPdf'
  | 'depositStatementPdf'
  | 'depositLetterPdf'
  | 'signatureImage'

/**
 * Renders PDFs and decodes signature images in a worker thread, one at a time.
 * @throws AppError unavailable when the queue is full or a job takes too long; whatever the job throws
 */
export type Renderer = Pick<Jobs, PdfJob> & Close
/** Parses calendar files in a worker thread, one at a time; a thread that hangs is terminated (CAL-17). */
export type CalendarParser = Close & {
  /** @throws AppError unavailable when too many files wait or the parser is closed */
  parse: (...input: Parameters<Jobs['parseCalendar']>) => Promise<ParsedCalendar>
}
/** Parses texts in a worker thread, one at a time; a thread that takes too long is terminated (FIX-30). */
export type MarkdownParser = Close & {
  /**
   * The parsed text; undefined if it cannot be parsed in time.
   * @throws AppError unavailable when too many texts wait or the parser is closed
   */
  parse: (text: string) => Promise<ParsedMarkdown | undefined>
}

/** A thread that starts with the first job and ends a minute after the last. Each kind of work has its own. */
function createThread(options: Omit<WorkerQueueOptions, 'script' | 'idleMs'>) {
  const isSource = import.meta.filename.endsWith('.ts')
  const script = isSource
    ? join(import.meta.dirname, 'worker.ts')
    : join(projectRoot, 'dist/server/worker.js')
  const { maxOldGenerationSizeMb = 0, ...limits } = options.resourceLimits
  // Without a build, the thread also compiles the source.
  const heapMb = isSource ? 2 * maxOldGenerationSizeMb : maxOldGenerationSizeMb
  const resourceLimits = { ...limits, maxOldGenerationSizeMb: heapMb }
  const { close, run } = createWorkerQueue({ script, idleMs: 60_000, ...options, resourceLimits })
  const job = <Name extends keyof Jobs>(name: Name) => ((input: unknown) => run(name, input)) as Jobs[Name]
  return { job, close }
}

export function createRenderer(): Renderer {
  const { close, job } = createThread({
    maxWaiting: 20,
    jobTimeoutMs: 20_000,
    closeWithinMs: 3000,
    // As much as a small server can spare; with less memory a PDF takes twice as long because of garbage collection.
    resourceLimits: { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 6 },
  })
  return {
    leasePdf: job('leasePdf'),
    signedLeasePdf: job('signedLeasePdf'),
    signingPdf: job('signingPdf'),
    receiptPdf: job('receiptPdf'),
    booksPdf: job('booksPdf'),
    depositStatementPdf: job('depositStatementPdf'),
    depositLetterPdf: job('depositLetterPdf'),
    signatureImage: job('signatureImage'),
    close,
  }
}

export function createCalendarParser({ jobTimeoutMs = 10_000 } = {}): CalendarParser {
  const { close, job } = createThread({
    // Room for one file per feed (at most 20), and for 'Read now'.
    maxWaiting: 40,
    jobTimeoutMs,
    closeWithinMs: 1000,
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
  })
  const parse = job('parseCalendar')
  return { parse: input => parse(input).catch(orElse<ParsedCalendar>({ problem: 'tooSlow' })), close }
}

export function createMarkdownParser({ jobTimeoutMs = 5000 } = {}): MarkdownParser {
  const { close, job } = createThread({
    maxWaiting: 10,
    jobTimeoutMs,
    closeWithinMs: 1000,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  const parse = job('parseMarkdown')
  return { parse: text => parse(text).catch(orElse(undefined)), close }
}

/** An AppError without a cause comes from the queue, which is full or closed. The input caused any other error. */
const orElse =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof AppError && error.cause === undefined) throw error
    return value
  }
