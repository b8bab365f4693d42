import { addDays, type CalendarDate, dateIn, formatLongDate, nightsBetween } from './dates.ts'
import { formatCents } from './money.ts'
import type { PlanInstalment } from './payment-plan-state.ts'
import { hourOfDateIn, mailHour, startOfDateIn } from './zoned-time.ts'

/** How long a reminder of the due date, or after it, makes sense. */
const daysValid = 14

/** What the reminders of a booking are worked out from. */
export type ReminderFacts = {
  applicationId: string
  /** UTC ISO; null while unsigned. */
  signedAt: string | null
  /** Approved or completed, and not deleted. */
  isBooked: boolean
  instalments: readonly PlanInstalment[]
  /** Days from the due date, as the settings are now. */
  reminderDays: readonly number[]
  /** Keys of the reminders that are in the outbox, whatever became of them; other keys do not matter. */
  sentKeys: readonly string[]
}

/** A moment as reminders see it; made once for all bookings. */
type ReminderMoment = {
  /** The property's. */
  timeZone: string
  clockIsWrong: boolean
  today: CalendarDate
  /** The newest date of which the hour of reminders has come. */
  stageDate: CalendarDate
}

/** A moment at the property; `clockIsWrong`: the clock is known to be wrong. */
export function reminderMoment(now: Date, timeZone: string, clockIsWrong: boolean): ReminderMoment {
  return { timeZone, clockIsWrong, today: dateIn(now, timeZone), stageDate: lastStageDate(now, timeZone) }
}

/** A day on which a reminder is due, from when and until when. */
type ReminderStage = { date: CalendarDate; at: Date; validUntil: Date }

/**
 * The reminder to put into the outbox now: of the newest stage that is valid, unless that one, or a newer one, is there
 * already (PLAN-37, PLAN-38). Undefined for none.
 */
export function dueReminder(
  facts: ReminderFacts,
  moment: ReminderMoment,
): (ReminderStage & { key: string }) | undefined {
  const { applicationId } = facts
  const lastSent = lastSentDate(facts) ?? ''
  const stages = validStages(facts, moment).filter(({ date }) => date > lastSent)
  // Of one day, the one that is valid longest.
  const [newest] = stages.toSorted((a, b) => compare(b.date, a.date) || compare(b.lastDate, a.lastDate))
  return newest && { ...withMoments(newest, moment.timeZone), key: reminderKey(applicationId, newest.date) }
}

/**
 * Whether a reminder in the outbox is still true when it is delivered, and the newest; else it is withdrawn (PLAN-38,
 * PLAN-39).
 */
export function isReminderTrue(facts: ReminderFacts, key: string, moment: ReminderMoment): boolean {
  const date = stageDateOf(facts.applicationId, key)
  if (date === undefined || date !== lastSentDate(facts)) return false
  return validStages(facts, moment).some(stage => stage.date === date)
}

/** The outbox key of a reminder: one a day per booking at most. */
export const reminderKey = (applicationId: string, stageDate: CalendarDate): string =>
  `plan-reminder:${applicationId}:${stageDate}`

function stageDateOf(applicationId: string, key: string): CalendarDate | undefined {
  const start = reminderKey(applicationId, '')
  return key.startsWith(start) ? key.slice(start.length) : undefined
}

const lastSentDate = ({ applicationId, sentKeys }: ReminderFacts): CalendarDate | undefined =>
  sentKeys
    .flatMap(key => stageDateOf(applicationId, key) ?? [])
    .toSorted()
    .at(-1)

/** The stages that have come and are still valid; none from before signing or the making of an instalment. */
function validStages(
  { instalments, isBooked, reminderDays, signedAt }: ReminderFacts,
  { clockIsWrong, stageDate, timeZone, today }: ReminderMoment,
): Stage[] {
  if (!isBooked || signedAt === null || clockIsWrong) return []
  return instalments
    .filter(({ onItsWayCents, openCents }) => openCents > 0 && onItsWayCents === 0)
    .flatMap(({ createdAt, dueDate }) => {
      if (dueDate === null) return []
      // Counted in days, as making dates of every stage of every booking would take long.
      const days = nightsBetween(dueDate, stageDate)
      const isValid = (day: number) => day <= days && (day < 0 ? today <= dueDate : days < day + daysValid)
      return reminderDays
        .filter(isValid)
        .map(day => stageOf(dueDate, day))
        .filter(({ date }) => isSince(date, signedAt, timeZone) && isSince(date, createdAt, timeZone))
    })
}

/** Whether the hour of reminders of a date is not before a moment (UTC ISO). */
function isSince(date: CalendarDate, moment: string, timeZone: string): boolean {
  // Most are days apart, which needs no look at the zone.
  if (date > addDays(moment.slice(0, 10), 1)) return true
  return hourOfDateIn(date, mailHour, timeZone) >= new Date(moment)
}

function lastStageDate(moment: Date, timeZone: string): CalendarDate {
  const date = dateIn(moment, timeZone)
  return moment >= hourOfDateIn(date, mailHour, timeZone) ? date : addDays(date, -1)
}

/** One before the due date is valid to the end of its last date, others for 14 days, to the hour of the last. */
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

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

export type ReminderPart = { label: string; amountCents: number; dueDate: CalendarDate }
export type ReminderContent = {
  subject: string
  overdue: ReminderPart[]
  due: ReminderPart[]
  /** What is due on the next date after today. */
  next: ReminderPart[]
}

/** The words of a reminder, from the instalments of that day (PLAN-39); undefined where nothing is open. */
export function reminderContent(instalments: readonly PlanInstalment[]): ReminderContent | undefined {
  const parts = (...states: PlanInstalment['state'][]) =>
    instalments.flatMap(({ dueDate, label, openCents, state }) =>
      dueDate !== null && states.includes(state) ? [{ label, amountCents: openCents, dueDate }] : [],
    )
  const [overdue, due, later] = [parts('overdue'), parts('due'), parts('upcoming', 'partly')]
  const [nextDate] = later.map(({ dueDate }) => dueDate).toSorted()
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
  return first && `Payment reminder: ${sum(next)} due on ${formatLongDate(first.dueDate)}`
}
