import { z } from 'zod'
import { type CalendarDate, type DateRange, nightsBetween } from '../common/dates.ts'
import { boundedText, calendarDate, line } from '../common/inputs.ts'
import { maxAmountCents } from '../common/money.ts'
import { section } from '../content/settings-section.ts'
import { shareCents } from '../money/charge.ts'
import { isBooked } from './application-status.ts'

/** `requested` waits for the owner; `cancelled` ends with `reinstated`. */
export const cancellationStates = ['requested', 'taken_back', 'declined', 'cancelled', 'reinstated'] as const
export type CancellationState = (typeof cancellationStates)[number]

/** Who cancels. */
export const cancellationSides = ['tenant', 'owner'] as const
export type CancellationSide = (typeof cancellationSides)[number]

/** A tenant who cancels at least `daysBefore` days before arrival gets `refundPercent` of the rent and fees back. */
export type CancellationTier = { daysBefore: number; refundPercent: number }

export const maxTiers = 5
const daysMessage = 'Please enter a whole number from 0 to 365'
const percentMessage = 'Please enter a whole number from 0 to 100'

const tiers = z
  .array(
    z.object({
      daysBefore: z.int(daysMessage).min(0, daysMessage).max(365, daysMessage),
      refundPercent: z.int(percentMessage).min(0, percentMessage).max(100, percentMessage),
    }),
  )
  .max(maxTiers, `Please use at most ${maxTiers} lines`)
  .superRefine((all, context) => {
    for (const [i, tier] of all.entries()) {
      const before = all[i - 1]
      const isField = (field: keyof CancellationTier, message: string) =>
        context.addIssue({ code: 'custom', path: [i, field], message })
      if (before && tier.daysBefore >= before.daysBefore)
        isField('daysBefore', 'Please enter fewer days than in the line before')
      if (before && tier.refundPercent > before.refundPercent)
        isField('refundPercent', 'Please enter at most as much as in the line before')
    }
  })

/** What goes back of rent and fees when a tenant cancels; as shipped, what section 13 of the lease says (CHANGE-07). */
export const cancellationSection = section(
  'cancellation',
  z.object({ tiers: tiers.default([{ daysBefore: 30, refundPercent: 100 }]) }),
)

const reasonMissing = 'Please enter a reason'
const words = (missing: string) => boundedText(2000, missing).min(1, missing)
export const cancellationNote = z.object({ note: words('Please write why') })
const cents = z.int('Please enter a valid amount').min(0, 'Please enter a valid amount').max(maxAmountCents)
/** The refund that the dialog showed; the request is refused if it has changed. */
const seenRefundCents = z.int().optional()
export const cancellationRequest = z.object({ reason: words(reasonMissing), seenRefundCents })
export type CancellationRequest = z.output<typeof cancellationRequest>
export const sideInput = z.enum(cancellationSides, 'Please choose who cancels')
export const cancellationForm = z.object({
  side: sideInput,
  reason: words(reasonMissing),
  refundCents: cents.optional(),
  paidCents: z.int().optional(),
  seenRefundCents,
})
export type CancellationForm = z.output<typeof cancellationForm>
export const byHandForm = z.object({
  date: calendarDate().optional(),
  checkNumber: line(50).default(''),
  /** The amount that the dialog showed; another one is not recorded. */
  seenCents: z.int().optional(),
})
export type ByHandForm = z.output<typeof byHandForm>

export const cancellationMessages = {
  notBooked: 'Only a booked stay can be cancelled.',
  begun: 'This stay has begun. Change it by an addendum.',
  askedAlready: 'You have asked for this already.',
  notAsked: 'No request is waiting.',
  cancelledAlready: 'This stay is cancelled already.',
  paidChanged: 'What was paid has changed. Please look again.',
  refundChanged: 'What goes back has changed. Please look again.',
  refundUnderWay: 'A refund is under way. Please wait for its end.',
  fixed: 'This stay was cancelled. Approve it again to change it.',
  notWaiting: 'This refund is not open any more.',
  notRetried: 'Only a refund that is on its way or has failed can be asked for again.',
  kept: 'Kept after cancellation',
} as const

/** Why a stay cannot be cancelled; undefined if it can (CHANGE-04). */
export function cancellationError(
  { status, stay }: { status: string; stay: DateRange },
  today: CalendarDate,
): string | undefined {
  if (status === 'cancelled') return cancellationMessages.cancelledAlready
  if (!isBooked(status)) return cancellationMessages.notBooked
  return stay.start <= today ? cancellationMessages.begun : undefined
}

/** How much of rent and fees goes back, in percent (CHANGE-08). */
export function refundPercent(
  tiers: readonly CancellationTier[],
  side: CancellationSide,
  daysBefore: number,
): number {
  if (side === 'owner') return 100
  return tiers.find(tier => tier.daysBefore <= daysBefore)?.refundPercent ?? 0
}

/** What was paid, the deposit held of it, and what deductions keep of it; cents. */
export type CancelledMoney = { paidCents: number; depositCents: number; keptOfDepositCents: number }

/**
 * What goes back of a cancelled stay, and what is kept; cents. The deposit goes back in any case, of the rest a share that
 * is rounded half up (CHANGE-09). What a statement has kept of the deposit stays kept.
 */
export function refundOf(money: CancelledMoney, percent: number) {
  const paidCents = Math.max(0, money.paidCents)
  const mostCents = Math.max(0, paidCents - money.keptOfDepositCents)
  const depositCents = Math.min(Math.max(0, money.depositCents), mostCents)
  const share = shareCents(paidCents - depositCents, percent * 100)
  const refundCents = Math.min(depositCents + share, mostCents)
  return { paidCents, depositCents, mostCents, refundCents, keptCents: paidCents - refundCents }
}

/** Nights from the day that a cancellation counts from to the first day; 0 once that has come. */
export const daysBeforeStay = (receivedOn: CalendarDate, start: CalendarDate): number =>
  receivedOn < start ? nightsBetween(receivedOn, start) : 0

/** The share of what was kept for nights that were booked again, rounded half up; cents (CHANGE-17). */
export function rebookedShareCents(keptCents: number, nights: number, allNights: number): number {
  return allNights === 0
    ? 0
    : Number((2n * BigInt(keptCents) * BigInt(nights) + BigInt(allNights)) / BigInt(2 * allNights))
}
