import { shareCents } from './charge.ts'
import { addMonths, type CalendarDate, formatLongDate } from './dates.ts'
import { AppError, fieldError } from './errors.ts'
import { formatCents } from './money.ts'
import type { LateFee, NewInstalment } from './payment-plan.ts'
import type { PostponeInput } from './payment-plan-form.ts'
import { planMessages } from './payment-plan-messages.ts'
import type { PlanInstalment } from './payment-plan-state.ts'

// Changes of single instalments after signing. What is refused here depends on the plan alone; the service knows that
// the lease is signed and that the row is there.

/**
 * The instalments that take the place of one of which a part is moved to a later date: what stays, where something does,
 * then what moves (PLAN-28). Cents.
 * @throws AppError conflict where nothing is open; bad_request for the date, and for more than is open
 */
export function postpone(
  instalment: PlanInstalment,
  { amountCents, dueDate }: Pick<PostponeInput, 'amountCents' | 'dueDate'>,
  today: CalendarDate,
): NewInstalment[] {
  requireOpen(instalment)
  const before = instalment.dueDate ?? today
  const latest = addMonths(today, 12)
  if (dueDate <= before) throw fieldError('dueDate', `Please choose a date after ${formatLongDate(before)}`)
  if (dueDate < today) throw fieldError('dueDate', 'Please choose today or a later date')
  if (dueDate > latest) throw fieldError('dueDate', `Please choose a date up to ${formatLongDate(latest)}`)
  const { chargeId, kind, label, openCents, position } = instalment
  const movedCents = amountCents ?? openCents
  if (movedCents > openCents) throw fieldError('amountCents', planMessages.onlyOpen(openCents))
  const same = { position, kind, chargeId, label }
  const staysCents = instalment.amountCents - movedCents
  return [
    ...(staysCents > 0 ? [{ ...same, amountCents: staysCents, dueDate: instalment.dueDate }] : []),
    { ...same, amountCents: movedCents, dueDate },
  ]
}

/**
 * What is left of an instalment whose open part is waived, and the charge of kind adjustment that takes it out of what is
 * owed (PLAN-29). Cents.
 * @throws AppError conflict for a deposit, where something is on its way, and where nothing is open
 */
export function waive(instalment: PlanInstalment): {
  amountCents: number
  charge: { kind: 'adjustment'; label: string; amountCents: number }
} {
  if (instalment.kind === 'deposit') throw new AppError('conflict', planMessages.depositNotWaived)
  const { label, onItsWayCents, openCents, paidCents } = instalment
  if (onItsWayCents > 0) throw new AppError('conflict', planMessages.onItsWay(onItsWayCents))
  requireOpen(instalment)
  return {
    amountCents: paidCents,
    charge: { kind: 'adjustment', label: planMessages.waived(label), amountCents: -openCents },
  }
}

/** @throws AppError conflict for an instalment that has nothing open */
function requireOpen({ onItsWayCents, state }: PlanInstalment): void {
  if (state === 'on_its_way') throw new AppError('conflict', planMessages.onItsWay(onItsWayCents))
  if (state === 'paid' || state === 'waived') throw new AppError('conflict', planMessages.changed)
}

/**
 * The late fee that is proposed for an instalment, in cents; null for none. `decided`: one was charged or
 * dismissed before (PLAN-32, PLAN-34).
 */
export function proposedLateFee(
  lateFee: LateFee | null,
  { daysOverdue, kind, onItsWayCents, openCents }: PlanInstalment,
  decided: boolean,
): number | null {
  if (!lateFee || decided || kind !== 'lease') return null
  if (daysOverdue <= lateFee.graceDays || onItsWayCents > 0) return null
  const cents = lateFee.kind === 'fixed' ? lateFee.cents : shareCents(openCents, lateFee.basisPoints)
  return cents > 0 ? cents : null
}

/**
 * The late fee to charge, in cents: what is proposed, or less (PLAN-33). Dismissing it asks the same.
 * @throws AppError conflict where it was decided before or none is proposed; bad_request for more than is proposed
 */
export function chargedLateFee(
  lateFee: LateFee | null,
  instalment: PlanInstalment,
  decided: boolean,
  amountCents?: number,
): number {
  if (decided) throw new AppError('conflict', planMessages.lateFeeDecided)
  const proposed = proposedLateFee(lateFee, instalment, decided)
  if (proposed === null) throw new AppError('conflict', planMessages.noLateFee)
  if (amountCents !== undefined && amountCents > proposed)
    throw fieldError('amountCents', `At most ${formatCents(proposed)} can be charged.`)
  return amountCents ?? proposed
}
