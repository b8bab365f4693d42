// Entry point of the worker thread.
import { handleJobs } from '../../lib/handle-jobs.ts'
import { calendarJobs } from './calendar-jobs.ts'

handleJobs(calendarJobs)
