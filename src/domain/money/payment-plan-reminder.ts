import { z } from 'zod'
import { compare } from '../common/compare.ts'
import { addDays, type CalendarDate, dateIn, formatShortDate, nightsBetween } from '../common/dates.ts'
import { boundedText } from '../common/inputs.ts'
import { formatCents } from '../common/money.ts'
import { hourOfDateIn, mailHour, startOfDateIn } from '../common/zoned-time.ts'
import type { PlanInstallment } from './payment-plan-state.ts'

/** How many days a reminder on or after the due date is valid. */
const daysValid = 14

/** The data that the reminders of a booking are computed from. */
export type ReminderFacts = {
  applicationId: string
  /** UTC ISO timestamp; null while unsigned. */
  signedAt: string | null
  /** Approved or completed, and not deleted. */
  isBooked: boolean
  installments: readonly PlanInstallment[]
  /** Days relative to the due date, from the current settings. */
  reminderDays: readonly number[]
  /** Keys of the reminders in the outbox, whatever their status; other keys are ignored. */
  sentKeys: readonly string[]
}

/** The current time in terms of reminders; computed once for all bookings. */
type ReminderMoment = {
  /** Time zone of the property. */
  timeZone: string
  today: CalendarDate
  /** The newest date whose hour of sending has passed. */
  stageDate: CalendarDate
}

/** The current time at the property. */
export function reminderMoment(now: Date, timeZone: string): ReminderMoment {
  return { timeZone, today: dateIn(now, timeZone), stageDate: lastStageDate(now, timeZone) }
}

/** A date with a reminder, the time to send it and the end of its validity. */
type ReminderStage = { date: CalendarDate; at: Date; validUntil: Date }

/**
 * The reminder to put into the outbox now: the newest valid stage, unless this or a newer one is already there
 * (PLAN-37, PLAN-38). Undefined for none.
 */
export function dueReminder(
  facts: ReminderFacts,
  moment: ReminderMoment,
): (ReminderStage & { key: string }) | undefined {
  const { applicationId } = facts
  const lastSent = lastSentDate(facts, moment) ?? ''
  const stages = validStages(facts, moment).filter(({ date }) => date > lastSent)
  // Of stages with the same date, takes the one that is valid longest.
  const [newest] = stages.toSorted((a, b) => compare(b.date, a.date) || compare(b.lastDate, a.lastDate))
  return newest && { ...withMoments(newest, moment.timeZone), key: reminderKey(applicationId, newest.date) }
}

/**
 * Whether a reminder in the outbox is still true and the newest at delivery; otherwise it is withdrawn (PLAN-38,
 * PLAN-39).
 */
export function isReminderCurrent(facts: ReminderFacts, key: string, moment: ReminderMoment): boolean {
  const date = stageDateOf(facts.applicationId, key)
  if (date === undefined || date !== lastSentDate(facts, moment)) return false
  return validStages(facts, moment).some(stage => stage.date === date)
}

/** The outbox key of a reminder: at most one per day and booking. */
export const reminderKey = (applicationId: string, stageDate: CalendarDate): string =>
  `plan-reminder:${applicationId}:${stageDate}`

function stageDateOf(applicationId: string, key: string): CalendarDate | undefined {
  const start = reminderKey(applicationId, '')
  return key.startsWith(start) ? key.slice(start.length) : undefined
}

/** Without those that were sent while the clock was ahead. */
const lastSentDate = (
  { applicationId, sentKeys }: ReminderFacts,
  { today }: ReminderMoment,
): CalendarDate | undefined =>
  sentKeys
    .flatMap(key => stageDateOf(applicationId, key) ?? [])
    .filter(date => date <= today)
    .toSorted()
    .at(-1)

/**
 * The stages that have been reached and are still valid; none from before signing or before the installment was
 * created.
 */
function validStages(
  { installments, isBooked, reminderDays, signedAt }: ReminderFacts,
  { stageDate, timeZone, today }: ReminderMoment,
): Stage[] {
  if (!isBooked || signedAt === null) return []
  return installments
    .filter(({ onItsWayCents, openCents }) => openCents > 0 && onItsWayCents === 0)
    .flatMap(({ createdAt, dueDate }) => {
      if (dueDate === null) return []
      // Counted in days, because creating dates for every stage of every booking would be slow.
      const days = nightsBetween(dueDate, stageDate)
      const isValid = (day: number) => day <= days && (day < 0 ? today <= dueDate : days < day + daysValid)
      return reminderDays
        .filter(isValid)
        .map(day => stageOf(dueDate, day))
        .filter(({ date }) => isSince(date, signedAt, timeZone) && isSince(date, createdAt, timeZone))
    })
}

/** Whether the hour of sending on a date is at or after a UTC ISO timestamp. */
function isSince(date: CalendarDate, moment: string, timeZone: string): boolean {
  // Most are days apart, so the time zone does not matter.
  if (date > addDays(moment.slice(0, 10), 1)) return true
  return hourOfDateIn(date, mailHour, timeZone) >= new Date(moment)
}

function lastStageDate(moment: Date, timeZone: string): CalendarDate {
  const date = dateIn(moment, timeZone)
  return moment >= hourOfDateIn(date, mailHour, timeZone) ? date : addDays(date, -1)
}

/**
 * Before the due date a stage is valid to the end of `lastDate`; otherwise for 14 days, to the hour of sending on
 * `lastDate`.
 */
type Stage = { date: CalendarDate; isBefore: boolean; lastDate: CalendarDate }

const stageOf = (dueDate: CalendarDate, day: number): Stage =>
  day < 0
    ? { date: addDays(dueDate, day), isBefore: true, lastDate: dueDate }
    : { date: addDays(dueDate, day), isBefore: false, lastDate: addDays(dueDate, day + daysValid) }

function withMoments({ date, isBefore, lastDate }: Stage, timeZone: string): ReminderStage {
  const validUntil = isBefore
    ? startOfDateIn(addDays(lastDate, 1), timeZone)
    : hourOfDateIn(lastDate, mailHour, timeZone)
  return { date, at: hourOfDateIn(date, mailHour, timeZone), validUntil }
}

/** The owner's reminder of a booking, with words of their own (LOOK-67). */
export const ownReminder = z.object({
  applicationId: z.string().max(100),
  message: boundedText(1000).optional(),
})
export type OwnReminder = z.output<typeof ownReminder>

/** Without a payment plan nothing has a date. */
export type ReminderPart = { label: string; amountCents: number; dueDate: CalendarDate | null }
export type ReminderContent = {
  subject: string
  overdue: ReminderPart[]
  due: ReminderPart[]
  /** The payments due on the next due date after today, or without a plan all that is open. */
  next: ReminderPart[]
}

/** The content of a reminder, from the installments on that day (PLAN-39); undefined if nothing is open. */
export function reminderContent(installments: readonly PlanInstallment[]): ReminderContent | undefined {
  const parts = (...states: PlanInstallment['state'][]) =>
    installments.flatMap(({ dueDate, label, openCents, state }) =>
      dueDate !== null && states.includes(state) ? [{ label, amountCents: openCents, dueDate }] : [],
    )
  const [overdue, due, later] = [parts('overdue'), parts('due'), parts('upcoming', 'partly')]
  const [nextDate] = later.flatMap(({ dueDate }) => dueDate ?? []).toSorted()
  const next = later.filter(({ dueDate }) => dueDate === nextDate)
  const subject = subjectOf(overdue, due, next)
  return subject === undefined ? undefined : { subject, overdue, due, next }
}

function subjectOf(
  overdue: readonly ReminderPart[],
  due: readonly ReminderPart[],
  next: readonly ReminderPart[],
): string | undefined {
  const sum = (parts: readonly ReminderPart[]) =>
    formatCents(parts.reduce((total, { amountCents }) => total + amountCents, 0))
  if (overdue.length > 0) return `Payment overdue: ${sum(overdue)}`
  if (due.length > 0) return `Payment due today: ${sum(due)}`
  const [first] = next
  return first?.dueDate
    ? `Payment reminder: ${sum(next)} due on ${formatShortDate(first.dueDate)}`
    : undefined
}

/**
 * The same of a booking without a payment plan, from what is open; undefined if nothing is to be paid. The lease asks for
 * the rent before the first day.
 */
export function openContent(
  { cents, depositCents }: { cents: number; depositCents: number },
  { firstDay, hasFees, today }: { firstDay: CalendarDate; hasFees: boolean; today: CalendarDate },
): ReminderContent | undefined {
  const rent = hasFees ? 'Rent and charges' : 'Rent'
  if (cents <= 0) return undefined
  const parts = [
    { label: 'Security deposit', amountCents: depositCents, dueDate: null },
    {
      label: firstDay > today ? `${rent}, due by ${formatShortDate(firstDay)}` : rent,
      amountCents: cents - depositCents,
      dueDate: null,
    },
  ]
  return {
    subject: `Payment reminder: ${formatCents(cents)}`,
    overdue: [],
    due: [],
    next: parts.filter(({ amountCents }) => amountCents > 0),
  }
}
