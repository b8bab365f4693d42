import { z } from 'zod'
import { applicationStatuses, decidedStatuses, submittedStatuses } from './application-status.ts'

export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
const maxPageSize = 200
/** Of a procedure's answer without pages; the REST path sends them all, in parts. */
export const maxUnpaged = 500

/** What the admin's table asks for. */
export const applicationQuery = z
  .object({
    search: z.string().trim().max(200).default(''),
    status: z.enum(submittedStatuses, 'Please choose a status from the list').nullish(),
    sort: z.enum(applicationSorts, 'Please choose how to sort from the list').default('createdAt'),
    order: z.enum(['asc', 'desc'], 'Please choose asc or desc').default('desc'),
    page: z
      .number('Please enter a page number')
      .int()
      .min(1, 'Please enter a page number')
      .max(1e6)
      .optional(),
    limit: z.number('Please enter how many').int().min(1).max(maxPageSize).default(defaultPageSize),
  })
  .prefault({})
export type ApplicationQuery = z.output<typeof applicationQuery>

const knownStatus = z.enum(applicationStatuses, 'Please name a status from the list')
/** The status that a change was decided on: with another one meanwhile it is refused. Without it, any will do. */
const fromStatus = knownStatus.optional()
/** The same for several, by the application's id. */
const fromStatuses = z.record(z.string(), knownStatus).optional()

/** What the admin sets, at any time. */
export const statusChange = z.object({
  status: z.enum(decidedStatuses, 'Please choose approved, rejected or completed'),
  fromStatus,
})
export const applicationDeletion = z.object({ id: z.string(), fromStatus })

const ids = z.array(z.string()).min(1, 'Please select applications').max(maxPageSize)
export const statusChanges = z.object({ ids, status: statusChange.shape.status, fromStatuses })
export const applicationDeletions = z.object({ ids, fromStatuses })
