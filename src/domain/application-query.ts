import { z } from 'zod'
import { applicationStatuses, decidedStatuses, submittedStatuses } from './application-status.ts'

export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
const maxPageSize = 200
/** Rows of a response without pages; the REST path streams all of them. */
export const maxUnpaged = 500

/** Input of the admin's table. */
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
/** The status that the admin saw: the change is refused if it is another one by now. */
const fromStatus = knownStatus.optional()
/** The same by application id. */
const fromStatuses = z.record(z.string(), knownStatus).optional()

export const statusChange = z.object({
  status: z.enum(decidedStatuses, 'Please choose approved, rejected or completed'),
  fromStatus,
  /** Whether nights that another calendar has taken may be booked. */
  overrideCalendar: z.boolean().optional(),
})
export const applicationDeletion = z.object({ id: z.string(), fromStatus })

const ids = z.array(z.string()).min(1, 'Please select applications').max(maxPageSize)
export const statusChanges = z.object({ ids, status: statusChange.shape.status, fromStatuses })
export const applicationDeletions = z.object({ ids, fromStatuses })
