import { z } from 'zod'
import { dueDaysAhead } from '../bookings/next-step.ts'
import { compare } from '../common/compare.ts'
import { addDays, type CalendarDate, formatShortDate } from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { type DueFilter, dueFilters, type LateFee } from './payment-plan.ts'
import type { InstallmentState, PlanInstallment } from './payment-plan-state.ts'

/** Grace period in days before the owner is warned, unless the late fee has one. */
const usualGraceDays = 5

/** Input of the list: a filter and a page. */
export const dueInput = z.object({
  state: z.enum(dueFilters, 'Please choose overdue, due, upcoming or on_its_way').optional(),
  page: z.number('Please enter a page number').int().min(1, 'Please enter a page number').max(1e6).default(1),
  limit: z.number('Please enter how many').int().min(1).max(200).default(50),
})
export type DueInput = z.output<typeof dueInput>

/** The installments of one booking. Only a signed, booked stay appears in the list. */
type DueBooking<Row extends PlanInstallment = PlanInstallment> = {
  applicationNumber: string
  installments: readonly Row[]
}

/** The rows of the list of due payments: neither paid nor waived, due up to 30 days ahead, sorted (PLAN-35). */
export function dueRows<Booking extends DueBooking>(
  bookings: readonly Booking[],
  today: CalendarDate,
): { booking: Booking; installment: PlanInstallment }[] {
  const until = addDays(today, dueDaysAhead)
  return bookings
    .flatMap(booking => booking.installments.map(installment => ({ booking, installment })))
    .filter(({ installment }) => isListed(installment, until))
    .toSorted(
      (a, b) =>
        compare(a.installment.dueDate ?? '', b.installment.dueDate ?? '') ||
        compare(a.booking.applicationNumber, b.booking.applicationNumber) ||
        a.installment.position - b.installment.position,
    )
}

const isListed = ({ dueDate, state }: PlanInstallment, until: CalendarDate) =>
  state !== 'paid' && state !== 'waived' && dueDate !== null && dueDate <= until

/** Whether a filter of the list selects an installment with this state. */
export function isInFilter(filter: DueFilter, state: InstallmentState): boolean {
  return state === filter || (filter === 'upcoming' && state === 'partly')
}

/** The sums over all rows of the list, in cents. */
export function dueTotals(installments: readonly PlanInstallment[]) {
  const open = (...states: InstallmentState[]) =>
    installments.reduce((sum, row) => sum + (states.includes(row.state) ? row.openCents : 0), 0)
  return {
    overdueCents: open('overdue'),
    dueCents: open('due'),
    next30Cents: open('upcoming', 'partly'),
    onItsWayCents: installments.reduce((sum, { onItsWayCents }) => sum + onItsWayCents, 0),
  }
}

type OverdueNotice = { id: string; title: string; amountCents: number; dueDate: CalendarDate }

/**
 * The notice to the owner about a signed, booked stay with payments overdue beyond the grace period: the sum, and the
 * oldest date (PLAN-36).
 */
export function overdueNotice(
  { applicationId, applicationNumber }: { applicationId: string; applicationNumber: string },
  installments: readonly PlanInstallment[],
  lateFee: LateFee | null,
): OverdueNotice | undefined {
  const graceDays = lateFee?.graceDays ?? usualGraceDays
  const late = installments.filter(({ daysOverdue }) => daysOverdue > graceDays)
  const [oldest] = late.flatMap(({ dueDate }) => dueDate ?? []).toSorted()
  if (!oldest) return undefined
  const amountCents = late.reduce((sum, { openCents }) => sum + openCents, 0)
  return {
    id: `plan-overdue-${applicationId}`,
    title: `${applicationNumber}: ${formatCents(amountCents)} has been overdue since ${formatShortDate(oldest)}`,
    amountCents,
    dueDate: oldest,
  }
}
