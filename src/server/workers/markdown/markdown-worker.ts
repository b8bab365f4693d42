// Entry point of the worker thread.
import { handleJobs } from '../../lib/handle-jobs.ts'
import { parseMarkdown } from './parse-markdown.ts'

handleJobs({ parseMarkdown })
