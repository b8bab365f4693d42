import { addMonths, type CalendarDate, formatShortDate } from '../common/dates.ts'
import { AppError, fieldError } from '../common/errors.ts'
import { formatCents } from '../common/money.ts'
import { shareCents } from './charge.ts'
import { type LateFee, type NewInstallment, planMessages } from './payment-plan.ts'
import type { LateFeeInput, PostponeInput } from './payment-plan-form.ts'
import { ownOpenCents, type PlanInstallment } from './payment-plan-state.ts'

// Changes of single installments after signing. The checks here depend only on the plan; the service checks that the
// lease is signed and that the row exists.

/**
 * The installments that replace one of which a part moves to a later date: the part that stays, if any, then the part
 * that moves (PLAN-28). Cents.
 * @throws AppError conflict if nothing is open; bad_request for the date, and for more than is open
 */
export function postpone(
  installment: PlanInstallment,
  { amountCents, dueDate, seenCents }: Pick<PostponeInput, 'amountCents' | 'dueDate' | 'seenCents'>,
  today: CalendarDate,
): NewInstallment[] {
  const openCents = requireOpen(installment, seenCents)
  const before = installment.dueDate ?? today
  const latest = addMonths(today, 12)
  if (dueDate <= before) throw fieldError('dueDate', `Please choose a date after ${formatShortDate(before)}`)
  if (dueDate < today) throw fieldError('dueDate', 'Please choose today or a later date')
  if (dueDate > latest) throw fieldError('dueDate', `Please choose a date up to ${formatShortDate(latest)}`)
  const { chargeId, kind, label, position } = installment
  const movedCents = amountCents ?? openCents
  if (movedCents > openCents) throw fieldError('amountCents', planMessages.onlyOpen(openCents))
  const same = { position, kind, chargeId, label }
  const staysCents = installment.amountCents - movedCents
  return [
    ...(staysCents > 0 ? [{ ...same, amountCents: staysCents, dueDate: installment.dueDate }] : []),
    { ...same, amountCents: movedCents, dueDate },
  ]
}

/**
 * What is left of an installment when its open part is waived, and the adjustment charge that subtracts the waived part
 * from what is owed (PLAN-29). Cents.
 * @throws AppError conflict for a deposit, while a payment is processing, or if nothing is open
 */
export function waive(
  installment: PlanInstallment,
  seenCents?: number,
): {
  amountCents: number
  charge: { kind: 'adjustment'; label: string; amountCents: number }
} {
  if (installment.kind === 'deposit') throw new AppError('conflict', planMessages.depositNotWaived)
  const { label, onItsWayCents, paidCents } = installment
  if (onItsWayCents > 0) throw new AppError('conflict', planMessages.onItsWay(onItsWayCents))
  const openCents = requireOpen(installment, seenCents)
  return {
    amountCents: Math.max(0, paidCents),
    charge: { kind: 'adjustment', label: planMessages.waived(label), amountCents: -openCents },
  }
}

/**
 * What is open of the installment itself, in cents. @throws AppError conflict for an installment with nothing open, or
 * with another amount than was seen
 */
function requireOpen(installment: PlanInstallment, seenCents?: number): number {
  const { onItsWayCents, state } = installment
  if (state === 'on_its_way') throw new AppError('conflict', planMessages.onItsWay(onItsWayCents))
  const openCents = ownOpenCents(installment)
  if (openCents === 0 || openCents !== (seenCents ?? openCents))
    throw new AppError('conflict', planMessages.changed)
  return openCents
}

/**
 * The late fee proposed for an installment, in cents; null for none. `decided`: a late fee was already charged or
 * dismissed (PLAN-32, PLAN-34).
 */
export function proposedLateFee(
  lateFee: LateFee | null,
  installment: PlanInstallment,
  decided: boolean,
): number | null {
  const { daysOverdue, kind } = installment
  if (!lateFee || decided || kind !== 'lease') return null
  // A dollar on its way does not put off the rest.
  if (daysOverdue <= lateFee.graceDays || ownOpenCents(installment) <= 0) return null
  const cents =
    lateFee.kind === 'fixed' ? lateFee.cents : shareCents(ownOpenCents(installment), lateFee.basisPoints)
  return cents > 0 ? cents : null
}

/**
 * The late fee to charge, in cents: the proposed amount, or less (PLAN-33). Dismissing it uses the same checks.
 * @throws AppError conflict if it was already decided, none is proposed or another one than was seen; bad_request for
 * more than is proposed
 */
export function chargedLateFee(
  lateFee: LateFee | null,
  installment: PlanInstallment,
  decided: boolean,
  { amountCents, seenCents }: LateFeeInput = {},
): number {
  if (decided) throw new AppError('conflict', planMessages.lateFeeDecided)
  const proposed = proposedLateFee(lateFee, installment, decided)
  if (proposed === null) throw new AppError('conflict', planMessages.noLateFee)
  if (proposed !== (seenCents ?? proposed)) throw new AppError('conflict', planMessages.changed)
  if (amountCents !== undefined && amountCents > proposed)
    throw fieldError('amountCents', `At most ${formatCents(proposed)} can be charged.`)
  return amountCents ?? proposed
}
