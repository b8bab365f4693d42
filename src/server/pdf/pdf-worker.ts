// The program of the worker thread: it draws PDFs and decodes pictures.
import { handleJobs } from './handle-jobs.ts'
import { pdfJobs } from './pdf-jobs.ts'

handleJobs(pdfJobs)
