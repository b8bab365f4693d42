import type { CalendarDate } from './dates.ts'

/** An application's life: draft -> pending -> approved | rejected -> completed. */
export const applicationStatuses = ['draft', 'pending', 'approved', 'rejected', 'completed'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]
/** What an admin may set, at any time. */
export const decidedStatuses = ['approved', 'rejected', 'completed'] as const
export type DecidedStatus = (typeof decidedStatuses)[number]
/** What the admin's table lists and filters by. */
export const submittedStatuses = ['pending', 'approved', 'rejected', 'completed'] as const
export type SubmittedStatus = (typeof submittedStatuses)[number]

const labels: Record<SubmittedStatus, string> = {
  pending: 'Submitted',
  approved: 'Approved',
  rejected: 'Declined',
  completed: 'Complete',
}

/** A status in words; lists and details word a draft differently. */
export function statusLabel(status: string, screen: 'dashboard' | 'details'): string {
  if (isSubmitted(status)) return labels[status]
  if (screen === 'dashboard') return 'Start'
  return status === 'draft' ? 'Draft' : 'Unknown'
}

/** The nights of an application with one of these are taken. */
export const bookedStatuses = ['approved', 'completed'] as const

export function isBooked(status: string): boolean {
  return (bookedStatuses as readonly string[]).includes(status)
}

/** Whether its tenant may withdraw an application with this status. */
export function canWithdraw(status: string): boolean {
  return status === 'draft' || status === 'pending'
}

/** Said when a status is changed from a screen that shows an older one. */
export const applicationChangedMessage = 'This application has changed meanwhile'

/**
 * Whether an application holds nights that become free when it is declined or deleted: it is booked, and its stay (the
 * lease's once there is one) is not over.
 */
export function holdsNights(
  application: { status: string; requestedEndDate: CalendarDate; leaseEndDate: CalendarDate | null },
  today: CalendarDate,
): boolean {
  return isBooked(application.status) && (application.leaseEndDate ?? application.requestedEndDate) > today
}

function isSubmitted(status: string): status is SubmittedStatus {
  return (submittedStatuses as readonly string[]).includes(status)
}
