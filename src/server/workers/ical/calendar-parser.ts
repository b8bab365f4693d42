import { join } from 'node:path'
import { projectRoot } from '../../../../db/project-root.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { createWorkerQueue } from '../../lib/worker-queue.ts'
import type { ParsedCalendar, ParseInput } from './parse-calendar.ts'

/** Parses calendar files in a worker thread, one at a time; a thread that hangs is terminated (CAL-17). */
export type CalendarParser = {
  /** @throws AppError unavailable when too many files wait or the parser is closed */
  parse: (input: ParseInput) => Promise<ParsedCalendar>
  close: () => Promise<void>
}

const script = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'calendar-worker.ts')
  : join(projectRoot, 'dist/server/calendar-worker.js')

/** Creates a parser whose thread starts with the first file and ends a minute after the last. */
export function createCalendarParser({ jobTimeoutMs = 10_000 } = {}): CalendarParser {
  const queue = createWorkerQueue({
    script,
    // Room for one file per feed (at most 20), and for 'Read now'.
    maxWaiting: 40,
    jobTimeoutMs,
    idleMs: 60_000,
    closeWithinMs: 1000,
    resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
  })
  return {
    async parse(input) {
      try {
        return (await queue.run('parseCalendar', input)) as ParsedCalendar
      } catch (error) {
        // An AppError without a cause comes from the queue, which is full or closed. The file caused any other error.
        if (error instanceof AppError && error.cause === undefined) throw error
        return { problem: 'tooSlow' }
      }
    },
    close: queue.close,
  }
}
