import { addDays, type CalendarDate, dateIn, formatLongDate } from './dates.ts'
import { formatCents } from './money.ts'
import type { PlanInstalment } from './payment-plan-state.ts'
import { hourOfDateIn, startOfDateIn } from './zoned-time.ts'

const reminderHour = 9
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

export type ReminderMoment = {
  now: Date
  /** The property's. */
  timeZone: string
  /** Whether the clock is known to be wrong. */
  clockIsWrong: boolean
}

/** A day on which a reminder is due, for all instalments that have a stage on it. */
export type ReminderStage = { date: CalendarDate; at: Date; validUntil: Date }

/**
 * The reminder to put into the outbox now: of the newest stage that is valid, unless that one, or a newer one, is there
 * already (PLAN-37, PLAN-38). Undefined for none.
 */
export function dueReminder(
  facts: ReminderFacts,
  moment: ReminderMoment,
): (ReminderStage & { key: string }) | undefined {
  const [newest] = validStages(facts, moment).toSorted(
    (a, b) => b.at.getTime() - a.at.getTime() || b.validUntil.getTime() - a.validUntil.getTime(),
  )
  const lastSent = lastSentDate(facts)
  if (!newest || (lastSent !== undefined && newest.date <= lastSent)) return undefined
  return { ...newest, key: reminderKey(facts.applicationId, newest.date) }
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
  { clockIsWrong, now, timeZone }: ReminderMoment,
): ReminderStage[] {
  if (!isBooked || signedAt === null || clockIsWrong) return []
  const today = dateIn(now, timeZone)
  return instalments.flatMap(({ createdAt, dueDate, onItsWayCents, openCents }) => {
    if (dueDate === null || openCents === 0 || onItsWayCents > 0) return []
    const from = new Date(Math.max(Date.parse(signedAt), Date.parse(createdAt)))
    return reminderDays
      .map(day => ({ day, date: addDays(dueDate, day), lastDate: lastDateOf(dueDate, day) }))
      .filter(({ date, lastDate }) => date <= today && today <= lastDate)
      .map(stage => withMoments(stage, timeZone))
      .filter(({ at, validUntil }) => at >= from && at <= now && now < validUntil)
  })
}

/** A stage before the due date is valid to the end of that date, others for 14 days, to the hour. */
const lastDateOf = (dueDate: CalendarDate, day: number) =>
  day < 0 ? dueDate : addDays(dueDate, day + daysValid)

function withMoments(
  { date, day, lastDate }: { date: CalendarDate; day: number; lastDate: CalendarDate },
  timeZone: string,
): ReminderStage {
  const validUntil =
    day < 0 ? startOfDateIn(addDays(lastDate, 1), timeZone) : hourOfDateIn(lastDate, reminderHour, timeZone)
  return { date, at: hourOfDateIn(date, reminderHour, timeZone), validUntil }
}

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
      dueDate !== null && openCents > 0 && states.includes(state)
        ? [{ label, amountCents: openCents, dueDate }]
        : [],
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
