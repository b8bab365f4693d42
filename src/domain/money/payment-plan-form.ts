import { z } from 'zod'
import { isCalendarDate } from '../common/dates.ts'
import { calendarDate, positiveCents, requiredLine } from '../common/inputs.ts'
import { section } from '../content/settings-section.ts'
import { type CustomRow, lateFeeKinds, maxInstallments, planChoices, settingKinds } from './payment-plan.ts'

const maxReminders = 8
const whole = (min: number, max: number, fallback: number) => {
  const message = `Please enter a whole number from ${min} to ${max}`
  return z.number(message).int(message).min(min, message).max(max, message).default(fallback)
}
const feeCentsMessage = 'Please enter an amount from $1.00 to $1,000.00'
const feePointsMessage = 'Please enter a percentage from 0.01% to 25%'
const remindersMessage = `Please enter at most ${maxReminders} different whole numbers from -60 to 60`

/** The late fee of the settings. Cents; basis points of what is open. */
const lateFeeForm = z
  .object({
    kind: z.enum(lateFeeKinds, 'Please choose none, an amount or a percentage').default('none'),
    cents: z
      .number(feeCentsMessage)
      .int(feeCentsMessage)
      .min(0, feeCentsMessage)
      .max(100_000, feeCentsMessage)
      .default(0),
    basisPoints: z
      .number(feePointsMessage)
      .int(feePointsMessage)
      .min(0, feePointsMessage)
      .max(2500, feePointsMessage)
      .default(0),
    graceDays: whole(0, 60, 5),
  })
  .refine(({ cents, kind }) => kind !== 'fixed' || cents >= 100, { path: ['cents'], error: feeCentsMessage })
  .refine(({ basisPoints, kind }) => kind !== 'percent' || basisPoints >= 1, {
    path: ['basisPoints'],
    error: feePointsMessage,
  })

/** How new leases are paid (PLAN-01, PLAN-03). */
export const planSettingsForm = z.object({
  kind: z.enum(settingKinds, 'Please choose how a stay is paid').default('off'),
  /** Percentage of the first of two payments. */
  splitPercent: whole(1, 99, 50),
  daysBeforeArrival: whole(0, 365, 30),
  /** Days relative to the due date; negative is before it. */
  reminderDays: z
    .array(z.number(remindersMessage), remindersMessage)
    .max(maxReminders, remindersMessage)
    .refine(
      days =>
        days.every(day => Number.isInteger(day) && Math.abs(day) <= 60) && new Set(days).size === days.length,
      remindersMessage,
    )
    .default([-7, -1, 1, 5]),
  lateFee: lateFeeForm.prefault({}),
})
export type PlanSettingsValues = z.input<typeof planSettingsForm>

export const planSection = section('plan', planSettingsForm)
export const bankSection = section(
  'bank',
  z.object({ enabled: z.boolean('Please choose on or off').default(false) }),
)

const rowMessage =
  'Each payment needs an amount of at least $0.01 and a valid date, or no date for the day of signing'
const rowsMessage = `Please enter 1 to ${maxInstallments} payments`
const isRow = ({ amountCents, dueDate }: CustomRow) =>
  Number.isSafeInteger(amountCents) && amountCents >= 1 && (dueDate === null || isCalendarDate(dueDate))
const customRow = z
  .object({ amountCents: z.number(), dueDate: z.string().nullable() })
  // Every error of a row is reported at the list.
  .catch({ amountCents: 0, dueDate: null })

/** Input of a change before signing: a kind, or the payments other than the deposit (PLAN-15, PLAN-16). */
export const planChange = z
  .object({
    version: z
      .int('Please send the version that you are changing')
      .min(0, 'Please send the version that you are changing'),
    kind: z.enum(planChoices, 'Please choose a plan from the list').optional(),
    instalments: z
      .array(customRow, rowsMessage)
      .min(1, rowsMessage)
      .max(maxInstallments, rowsMessage)
      .refine(rows => rows.every(isRow), rowMessage)
      .optional(),
  })
  .refine(({ instalments, kind }) => (instalments === undefined) !== (kind === undefined), {
    path: ['kind'],
    error: 'Please choose a plan, or enter the payments',
  })
export type PlanChange = z.output<typeof planChange>

const reason = requiredLine(500, 'Please give a reason')

/** The open amount or proposed fee that the dialog showed; the request is refused if it has changed (PLAN-30). */
const seenCents = positiveCents().optional()

/** Input of postponing; without an amount, everything open moves (PLAN-28). */
export const postponeForm = z.object({
  dueDate: calendarDate(),
  amountCents: positiveCents().optional(),
  reason,
  seenCents,
})
export type PostponeInput = z.output<typeof postponeForm>

export const waiveForm = z.object({ reason, seenCents })
export type WaiveInput = z.output<typeof waiveForm>

/** Input of charging a late fee; without an amount, the proposed fee (PLAN-33). */
export const lateFeeCharge = z.object({ amountCents: positiveCents().optional(), seenCents })
export type LateFeeInput = z.output<typeof lateFeeCharge>
