import type { CalendarDate } from '../common/dates.ts'

/** Lifecycle of an application: draft -> pending -> approved | rejected -> completed; a booked one can be cancelled. */
export const applicationStatuses = [
  'draft',
  'pending',
  'approved',
  'rejected',
  'completed',
  'cancelled',
] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]
/** Statuses that an admin may set, at any time. */
export const decidedStatuses = ['approved', 'rejected', 'completed'] as const
export type DecidedStatus = (typeof decidedStatuses)[number]
/** Statuses that the admin's table lists and filters by. */
export const submittedStatuses = ['pending', 'approved', 'rejected', 'completed', 'cancelled'] as const
export type SubmittedStatus = (typeof submittedStatuses)[number]

const labels: Record<SubmittedStatus, string> = {
  pending: 'Submitted',
  approved: 'Approved',
  rejected: 'Declined',
  completed: 'Complete',
  cancelled: 'Cancelled',
}

/** The label of a status; lists and details label a draft differently. */
export function statusLabel(status: string, screen: 'dashboard' | 'details'): string {
  if (isSubmitted(status)) return labels[status]
  if (screen === 'dashboard') return 'Start'
  return status === 'draft' ? 'Draft' : 'Unknown'
}

/** The mail to the tenant about each decision. */
export const statusMailKinds = {
  approved: 'application-approved',
  rejected: 'application-declined',
  completed: 'booking-complete',
} as const satisfies Record<DecidedStatus, string>

/** Statuses in which an application's nights are booked. */
export const bookedStatuses = ['approved', 'completed'] as const

export function isBooked(status: string): boolean {
  return (bookedStatuses as readonly string[]).includes(status)
}

/** Whether the tenant may withdraw an application with this status. */
export function canWithdraw(status: string): boolean {
  return status === 'draft' || status === 'pending'
}

/** The error for a change based on an outdated status. */
export const applicationChangedMessage = 'This application has changed meanwhile'

/** Whether declining or deleting an application frees nights: it is booked and its stay is not over. */
export function holdsNights(
  application: { status: string; requestedEndDate: CalendarDate; leaseEndDate: CalendarDate | null },
  today: CalendarDate,
): boolean {
  return isBooked(application.status) && (application.leaseEndDate ?? application.requestedEndDate) > today
}

function isSubmitted(status: string): status is SubmittedStatus {
  return (submittedStatuses as readonly string[]).includes(status)
}

/** Statuses in which an application is over: nothing is owed for its stay any more. */
export const endedStatuses = ['rejected', 'cancelled'] as const

export function isEnded(status: string): boolean {
  return (endedStatuses as readonly string[]).includes(status)
}

/** Why nothing can be done, such as paying, for an application that is over; undefined for all others. */
export function endedMessage(status: string, what: string): string | undefined {
  if (status === 'rejected') return `This application was declined. ${what}`
  return status === 'cancelled' ? `This stay was cancelled. ${what}` : undefined
}
