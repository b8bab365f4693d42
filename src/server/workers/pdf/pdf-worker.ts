// Entry point of the worker thread.
import { handleJobs } from '../../lib/handle-jobs.ts'
import { pdfJobs } from './pdf-jobs.ts'

handleJobs(pdfJobs)
