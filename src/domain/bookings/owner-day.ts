import { compare } from '../common/compare.ts'
import {
  addDays,
  addMonths,
  type CalendarDate,
  type DateRange,
  datesInRange,
  formatShortDate,
  nightsBetween,
  startOfMonth,
} from '../common/dates.ts'
import { formatCents } from '../common/money.ts'
import { plural } from '../common/plural.ts'
import { formatShortStay } from '../common/stay.ts'
import { isOwing, type NextStep, type NextStepKind, writeToGuest } from './next-step.ts'

/** How many days ahead arrivals and departures are listed. */
export const visitDaysAhead = 7

/** The fields of an application that the owner's day needs. */
export type DayApplication = {
  applicationId: string
  name: string
  stay: DateRange
  step: NextStep | null
  /** When the step began, such as `applied Nov 21, 2026`. */
  since?: string | undefined
  /** Whether a reminder was sent today; there is one a day. */
  isReminded?: boolean
}

/** A task of the owner, with its one action. */
export type OwnerTask = {
  applicationId: string
  kind: TaskKind
  title: string
  detail: string
  action: string
}

/**
 * The owner's tasks of today, most urgent first: all next steps except payments that are not due yet or still being
 * processed, and except money to give back and requests to cancel, which the notice board shows. Applications with the
 * same kind of step keep their order.
 */
export function ownerTasks(applications: readonly DayApplication[]): OwnerTask[] {
  return applications
    .flatMap(application => {
      const { step } = application
      return step && isTask(step) ? [toTask(application, step)] : []
    })
    .toSorted((a, b) => urgency.indexOf(a.kind) - urgency.indexOf(b.kind))
}

type TaskKind = Exclude<NextStepKind, 'upcoming' | 'on_its_way' | 'give_back' | 'cancel_request'>
type TaskStep = NextStep & { kind: TaskKind }
const isTask = (step: NextStep): step is TaskStep => step.kind in sentences

function toTask({ applicationId, isReminded, name, since, stay }: DayApplication, step: TaskStep): OwnerTask {
  const { action, title } = sentences[step.kind]
  const nights = plural(nightsBetween(stay.start, stay.end), 'night')
  return {
    applicationId,
    kind: step.kind,
    title: title(name, formatCents(step.amountCents), step),
    detail: [formatShortStay(stay), nights, since, isReminded && 'reminded today']
      .filter(Boolean)
      .join(' · '),
    action:
      step.waitsFor !== undefined
        ? 'Send Again'
        : isReminded && isOwing(step)
          ? writeToGuest
          : action === 'Return' || action === 'Keep'
            ? `${action} ${formatCents(step.amountCents)}`
            : action,
  }
}

type TaskSentence = { title: (name: string, amount: string, step: NextStep) => string; action: string }

const sentences: Record<TaskKind, TaskSentence> = {
  answer: { title: name => `${name} is waiting for your answer`, action: 'Decide' },
  overdue: { title: (name, amount) => `${name} is late with ${amount}`, action: 'Send reminder' },
  owed: { title: (name, amount) => `${name} owes ${amount}`, action: 'Send reminder' },
  generate_lease: { title: name => `${name} needs a lease`, action: 'Generate lease' },
  confirm: { title: name => `${name}’s booking is ready to confirm`, action: 'Confirm booking' },
  complete: { title: name => `${name}’s booking is ready to complete`, action: 'Complete' },
  return_deposit: {
    title: (name, amount) => `${amount} from the deposit goes back to ${name}`,
    action: 'Return',
  },
  send_statement: {
    title: (name, amount) => `${name} has no statement of the ${amount} claimed yet`,
    action: 'Send statement',
  },
  keep_deposit: {
    title: (name, amount) => `${amount} of ${name}’s deposit can be kept`,
    action: 'Keep',
  },
  decide_claim: {
    title: (name, amount) => `${name} objects to the claim of ${amount}`,
    action: 'Decide the claim',
  },
  overpaid: { title: (name, amount) => `${name} paid ${amount} too much`, action: 'Return' },
  signature: {
    title: (name, _, { waitsFor }) =>
      waitsFor ? `${name}’s lease is waiting for ${waitsFor}` : `${name} has not signed the lease yet`,
    action: writeToGuest,
  },
}

const urgency: readonly TaskKind[] = [
  'overdue',
  'answer',
  'owed',
  'generate_lease',
  'confirm',
  'complete',
  'send_statement',
  'return_deposit',
  'keep_deposit',
  'decide_claim',
  'overpaid',
  'signature',
]

/** A stay in the calendar; `applicationId` is null if it was booked on another platform. */
export type DayStay = {
  id: string
  applicationId: string | null
  name: string
  stay: DateRange
  /** If the owner lets the guest stay for longer. */
  leavesOn?: CalendarDate | undefined
  guests: number | null
}

export type UpcomingVisit = Pick<DayStay, 'id' | 'applicationId'> & {
  day: string
  title: string
  detail: string
}

/** Arrivals and departures from today to a week ahead, by date; on the same day departures come first. */
export function upcomingVisits(stays: readonly DayStay[], today: CalendarDate): UpcomingVisit[] {
  const until = addDays(today, visitDaysAhead)
  const moves = stays.flatMap(each => [
    { each, date: dayOf(each, 'end'), verb: 'leaves' },
    { each, date: each.stay.start, verb: 'arrives' },
  ])
  return moves
    .filter(({ date }) => today <= date && date <= until)
    .toSorted((a, b) => compare(a.date, b.date) || compare(b.verb, a.verb))
    .map(({ date, each: { applicationId, guests, id, name, stay }, verb }) => ({
      id: `${id} ${verb}`,
      applicationId,
      day: dayLabel(date, today),
      title: `${name} ${verb}`,
      detail: [
        plural(nightsBetween(stay.start, stay.end), 'night'),
        ...(guests === null ? [] : [plural(guests, 'guest')]),
      ].join(' · '),
    }))
}

const weekdays = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  weekday: 'short',
  month: 'short',
  day: 'numeric',
})

/** `Today`, `Tomorrow`, `Wed, Nov 25`. */
export function dayLabel(date: CalendarDate, today: CalendarDate): string {
  if (date === today) return 'Today'
  if (date === addDays(today, 1)) return 'Tomorrow'
  return weekdays.format(new Date(`${date}T00:00:00Z`))
}

/** Describes who is staying. */
export function stayingSentence(stays: readonly DayStay[], today: CalendarDate): string {
  return stays
    .filter(each => each.stay.start < today && today < dayOf(each, 'end'))
    .map(each => `${each.name} is staying until ${nearDate(dayOf(each, 'end'), today)}.`)
    .join(' ')
}

/** Who arrives (`start`) or leaves (`end`) next; undefined if nobody does. */
export function nextVisit(
  stays: readonly DayStay[],
  today: CalendarDate,
  move: keyof DateRange,
): { applicationId: string | null; name: string; day: string } | undefined {
  const [next] = stays
    .filter(each => dayOf(each, move) >= today)
    .toSorted((a, b) => compare(dayOf(a, move), dayOf(b, move)))
  if (!next) return undefined
  const { applicationId, name } = next
  const day = dayOf(next, move)
  return { applicationId, name, day: day === today ? 'Today' : nearDate(day, today) }
}

const dayOf = ({ leavesOn, stay }: DayStay, move: keyof DateRange): CalendarDate =>
  (move === 'end' && leavesOn) || stay[move]

/** The nights of this month that are booked, here or elsewhere, of all its nights. */
export function monthNights(stays: readonly DayStay[], today: CalendarDate): { booked: number; all: number } {
  const start = startOfMonth(today)
  const month = datesInRange({ start, end: addMonths(start, 1) })
  const isBooked = (night: CalendarDate) => stays.some(({ stay }) => stay.start <= night && night < stay.end)
  return { booked: month.filter(isBooked).length, all: month.length }
}

/** Omits the year if the date is less than ten months away. */
const nearDate = (date: CalendarDate, today: CalendarDate) =>
  date < addDays(today, 300) ? formatShortDate(date).replace(/, \d+$/, '') : formatShortDate(date)
