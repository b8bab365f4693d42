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

type StatusBadge = { label: string; tone: 'green' | 'blue' | 'red' | 'neutral' }

const badges: Record<SubmittedStatus, StatusBadge> = {
  pending: { label: 'Submitted', tone: 'green' },
  approved: { label: 'Approved', tone: 'green' },
  rejected: { label: 'Declined', tone: 'red' },
  completed: { label: 'Complete', tone: 'blue' },
}

/** Label and color of a status. The two screens label drafts and color pending differently. */
export function statusBadge(status: string, screen: 'dashboard' | 'details'): StatusBadge {
  if (!isSubmitted(status)) return { label: otherLabel(status, screen), tone: 'neutral' }
  return screen === 'details' && status === 'pending' ? { ...badges.pending, tone: 'blue' } : badges[status]
}

/** Statuses in which an application's nights are booked. */
export const bookedStatuses = ['approved', 'completed'] as const

export function isBooked(status: string): boolean {
  return (bookedStatuses as readonly string[]).includes(status)
}

/** The refusal of a change that was based on an older status. */
export const applicationChangedMessage = 'This application has changed meanwhile'

/** Whether declining or deleting an application frees nights: it is booked, and its stay is not over. */
export function holdsNights(
  application: { status: string; requestedEndDate: CalendarDate; leaseEndDate: CalendarDate | null },
  today: CalendarDate,
): boolean {
  return isBooked(application.status) && (application.leaseEndDate ?? application.requestedEndDate) > today
}

function otherLabel(status: string, screen: 'dashboard' | 'details'): string {
  if (screen === 'dashboard') return 'Start'
  return status === 'draft' ? 'Draft' : 'Unknown'
}

function isSubmitted(status: string): status is SubmittedStatus {
  return (submittedStatuses as readonly string[]).includes(status)
}
