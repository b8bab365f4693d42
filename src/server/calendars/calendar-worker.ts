// Entry point of the worker thread.
import { handleJobs } from '../pdf/handle-jobs.ts'
import { calendarJobs } from './calendar-jobs.ts'

handleJobs(calendarJobs)
