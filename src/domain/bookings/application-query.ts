import { z } from 'zod'
import { boundedText, calendarOverride, requiredLine } from '../common/inputs.ts'
import { recordId } from '../common/record-ids.ts'
import { applicationStatuses, decidedStatuses, submittedStatuses } from './application-status.ts'

/** `upcoming`: stays that are not over by arrival, then the others, newest first; it has no other order. */
export const applicationSorts = ['createdAt', 'firstName', 'status', 'totalAmount', 'upcoming'] as const
export type ApplicationSort = (typeof applicationSorts)[number]

export const defaultPageSize = 25
/** Rows of a response without pagination. */
export const maxUnpaged = 250

const maxPageSize = 200
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
/** The status that the admin saw; the change is rejected if it is no longer the current one. */
const fromStatus = knownStatus.optional()
/** The same, by application id. */
const fromStatuses = z
  .record(z.string(), knownStatus)
  .refine(statuses => Object.keys(statuses).length <= maxPageSize)
  .optional()

/** The owner's words in the mail to the guest. */
const message = boundedText(1000)

export const statusChange = z.object({
  status: z.enum(decidedStatuses, 'Please choose approved, rejected or completed'),
  fromStatus,
  message: message.optional(),
  overrideCalendar: calendarOverride.optional(),
})
export const applicationDeletion = z.object({ id: recordId, fromStatus })

export const statusMailQuery = z.object({
  id: recordId,
  status: statusChange.shape.status,
  message: message.optional(),
})
export type StatusMailQuery = z.output<typeof statusMailQuery>

export const guestMessageForm = z.object({
  subject: requiredLine(150, 'A subject is required'),
  message: boundedText(5000, 'A message is required').min(1, 'A message is required'),
})
export const guestMessage = guestMessageForm.extend({ id: recordId, requestId: z.uuid() })
export type GuestMessage = z.output<typeof guestMessage>

const ids = z.array(z.string()).min(1, 'Please select applications').max(maxPageSize)
export const statusChanges = z.object({ ids, status: statusChange.shape.status, fromStatuses })
export const applicationDeletions = z.object({ ids, fromStatuses })
