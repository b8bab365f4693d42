import { join } from 'node:path'
import { projectRoot } from '../../../../db/project-root.ts'
import { AppError } from '../../../domain/common/errors.ts'
import { createWorkerQueue } from '../../lib/worker-queue.ts'
import type { ParsedMarkdown } from './parse-markdown.ts'

/** Parses texts in a worker thread, one at a time; a thread that takes too long is terminated (FIX-30). */
export type MarkdownParser = {
  /**
   * The parsed text; undefined if it cannot be parsed in time.
   * @throws AppError unavailable when too many texts wait or the parser is closed
   */
  parse: (text: string) => Promise<ParsedMarkdown | undefined>
  close: () => Promise<void>
}

const script = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'markdown-worker.ts')
  : join(projectRoot, 'dist/server/markdown-worker.js')

/** Creates a parser whose thread starts with the first text and ends a minute after the last. */
export function createMarkdownParser({ jobTimeoutMs = 5000 } = {}): MarkdownParser {
  const queue = createWorkerQueue({
    script,
    maxWaiting: 10,
    jobTimeoutMs,
    idleMs: 60_000,
    closeWithinMs: 1000,
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  })
  return {
    async parse(text) {
      try {
        return (await queue.run('parseMarkdown', text)) as ParsedMarkdown
      } catch (error) {
        // An AppError without a cause comes from the queue, which is full or closed. The text caused any other error.
        if (error instanceof AppError && error.cause === undefined) throw error
        return undefined
      }
    },
    close: queue.close,
  }
}
