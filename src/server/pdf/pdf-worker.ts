// The program of the worker thread: it draws PDFs and decodes pictures.
import { answerJobs } from './answer-jobs.ts'
import { pdfJobs } from './pdf-jobs.ts'

answerJobs(pdfJobs)
