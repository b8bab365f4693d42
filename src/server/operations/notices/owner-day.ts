import { and, asc, eq, gte, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../../../db/open.ts'
import { applications, isBookedRow } from '../../../../db/schema.ts'
import { isBooked } from '../../../domain/bookings/application-status.ts'
import { isOwing, nextStepKinds } from '../../../domain/bookings/next-step.ts'
import {
  type DayApplication,
  type DayStay,
  monthNights,
  nextVisit,
  ownerTasks,
  stayingSentence,
  upcomingVisits,
} from '../../../domain/bookings/owner-day.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { formatAge } from '../../../domain/common/age.ts'
import {
  addDays,
  type CalendarDate,
  formatMomentDate,
  formatShortDate,
  startOfMonth,
} from '../../../domain/common/dates.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { apiCents } from '../../../domain/common/wire.ts'
import { countApplications } from '../../applications/admin-list.ts'
import { nextStepsOf, toReceive } from '../../applications/next-steps.ts'
import { offerTasks, seeBooking } from '../../applications/offers/notices.ts'
import { laterDepartures } from '../../arrival/records.ts'
import { importedWithin } from '../../bookings/imported-nights.ts'
import { type ApplicationRecord, bookedStayOf, selectRecords } from '../../bookings/records.ts'
import { waitingThreads } from '../../conversations/threads.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { maxPerKind } from '../../kernel/notice.ts'
import { listTrialGuests } from '../../kernel/trial.ts'
import { remindedToday } from '../../money/reminders.ts'
import { type UnpaidPlan, unpaidPlans } from '../../money/unpaid-plans.ts'
import { waitingReviews } from '../../reviews/reviews.ts'
import { currentSite } from '../../site/content/published.ts'

const visitView = z
  .strictObject({ applicationId: z.string().nullable(), name: z.string(), day: z.string() })
  .nullable()

/** The owner's tasks for today, and the arrivals and departures. */
export const ownerDayView = z.strictObject({
  tasks: z.array(
    z.strictObject({
      applicationId: z.string(),
      kind: z.enum([...nextStepKinds, 'message', 'review', 'offer']),
      title: z.string(),
      detail: z.string(),
      action: z.string(),
    }),
  ),
  /** The count of all tasks; more than are listed if there are very many. */
  taskCount: z.int(),
  visits: z.array(
    z.strictObject({
      id: z.string(),
      /** Null for a reservation on another platform. */
      applicationId: z.string().nullable(),
      day: z.string(),
      title: z.string(),
      detail: z.string(),
    }),
  ),
  staying: z.string(),
  /** The second row of cards (LOOK-83). */
  figures: z.strictObject({
    arrival: visitView,
    departure: visitView,
    nights: z.strictObject({ booked: z.int(), all: z.int() }),
    toReceiveCents: apiCents,
    /** The part of it that is not in the list of due payments. */
    notListedCents: apiCents,
  }),
})
export type OwnerDay = z.infer<typeof ownerDayView>

/** Stays that ended earlier are left out; the table still shows what they left open. */
const daysBack = 90
const maxStays = 500

/** The owner's day at the property. Runs a fixed, small number of queries, and none while nothing has changed. */
export function ownerDay(deps: Deps): OwnerDay {
  const { timeZone } = currentSite(deps)
  const today = todayAt(deps)
  // The dashboard polls every half minute, more often than anything changes.
  const day = cachedUntilWrite(deps, `owner's day ${today} ${timeZone}`, () => readDay(deps, today, timeZone))
  const written = messageTasks(deps)
  const offers = offerTasks(deps)
  const others = [...offers, ...reviewTasks(deps)]
  if (written.length + others.length === 0) return day
  const accepted = new Set(
    offers.filter(({ action }) => action === seeBooking).map(each => each.applicationId),
  )
  const isTold = ({ applicationId, kind }: OwnerDay['tasks'][number]) =>
    accepted.has(applicationId) && (kind === 'signature' || kind === 'owed')
  const own = day.tasks.filter(task => !isTold(task))
  const afterOverdue = own.findLastIndex(({ kind }) => kind === 'overdue') + 1
  return {
    ...day,
    tasks: [...own.toSpliced(afterOverdue, 0, ...written.slice(0, maxPerKind)), ...others],
    taskCount: day.taskCount - (day.tasks.length - own.length) + written.length + others.length,
  }
}

/** Not cached, because their age changes (MSG-06). */
const messageTasks = (deps: Deps): OwnerDay['tasks'] =>
  waitingThreads(deps).map(({ application, since }) => ({
    applicationId: application.id,
    kind: 'message',
    title: `${application.firstName} ${application.lastName} wrote ${formatAge(since, deps.clock.now(), deps.config.site.timeZone)}`,
    detail: `${formatShortStay(bookedStayOf(application))} · ${application.number}`,
    action: 'Reply',
  }))

function readDay(deps: Deps, today: CalendarDate, timeZone: string): OwnerDay {
  const pending = pendingRecords(deps.db)
  const booked = bookedRecords(deps.db, today)
  const tasks = ownerTasks(toDayApplications(deps, [...pending, ...booked], timeZone))
  const imported = importedStays(deps.db, today)
  const later = laterDepartures(deps)
  const toStay = (record: ApplicationRecord) => dayStayOf(record, later)
  const stays = [...booked.map(toStay), ...imported]
  const trials = listTrialGuests(deps.db)
  const counted = booked.filter(({ application }) => !trials.includes(application.userId))
  const countedStays = [...counted.map(toStay), ...imported]
  return {
    tasks: tasks.slice(0, maxPerKind),
    taskCount: tasks.length + Math.max(0, countApplications(deps).pending - pending.length),
    visits: upcomingVisits(stays, today),
    staying: stayingSentence(stays, today),
    figures: {
      arrival: nextVisit(countedStays, today, 'start') ?? null,
      departure: nextVisit(countedStays, today, 'end') ?? null,
      nights: monthNights(countedStays, today),
      ...toReceive(deps, counted),
    },
  }
}

const reviewTasks = (deps: Deps): OwnerDay['tasks'] =>
  waitingReviews(deps).map(({ application, row }) => ({
    applicationId: application.id,
    kind: 'review',
    title: `${application.firstName} ${application.lastName} wrote a review`,
    detail: `${row.rating} of 5 stars · ${application.number}`,
    action: 'Read',
  }))

/** Longest waiting first. */
function pendingRecords(db: Db): ApplicationRecord[] {
  const { createdAt, deletedAt, status, submittedAt } = applications
  return selectRecords(db)
    .where(and(isNull(deletedAt), isNotNull(submittedAt), eq(status, 'pending')))
    .orderBy(asc(createdAt))
    .limit(maxPerKind)
    .all()
}

function bookedRecords(db: Db, today: CalendarDate): ApplicationRecord[] {
  return selectRecords(db)
    .where(and(isBookedRow, gte(applications.stayEndDate, addDays(today, -daysBack))))
    .orderBy(asc(applications.stayEndDate))
    .limit(maxStays)
    .all()
}

function toDayApplications(deps: Deps, records: ApplicationRecord[], timeZone: string): DayApplication[] {
  const steps = nextStepsOf(deps, records)
  const plans = unpaidPlans(deps)
  const planById = new Map(plans.map(plan => [plan.applicationId, plan]))
  const owing = records.map(({ application }) => application.id).filter(id => isOwing(steps.get(id)))
  const reminded = remindedToday(deps, deps.db, owing)
  return records.map(record => {
    const { id, firstName, lastName } = record.application
    const plan = planById.get(id)
    const stay = bookedStayOf(record.application)
    return {
      applicationId: id,
      name: `${firstName} ${lastName}`,
      stay,
      step: steps.get(id) ?? null,
      since: sinceOf(record, plan, timeZone),
      isReminded: reminded.has(id),
    }
  })
}

/** Since when the owner has been waiting for a decision, a signature or a payment. */
function sinceOf(
  { application, lease }: ApplicationRecord,
  plan: UnpaidPlan | undefined,
  timeZone: string,
): string | undefined {
  if (!isBooked(application.status) && application.submittedAt)
    return `applied ${formatMomentDate(application.submittedAt, timeZone)}`
  if (lease && !lease.signedAt) return `lease of ${formatMomentDate(lease.generatedAt, timeZone)}`
  const late = plan?.installments.filter(({ daysOverdue }) => daysOverdue > 0) ?? []
  const [oldest] = late.flatMap(({ dueDate }) => dueDate ?? []).toSorted()
  return oldest && `overdue since ${formatShortDate(oldest)}`
}

const dayStayOf = (
  { application }: ApplicationRecord,
  later: ReturnType<typeof laterDepartures>,
): DayStay => ({
  leavesOn: later.get(application.id),
  id: application.id,
  applicationId: application.id,
  name: `${application.firstName} ${application.lastName}`,
  stay: bookedStayOf(application),
  guests: guestCount(application),
})

/** Reservations on other platforms from this month to a year ahead; their calendars do not contain the guest's name. */
function importedStays(db: Db, today: CalendarDate): DayStay[] {
  // On the first day of a month, also who leaves.
  const start = startOfMonth(addDays(today, -1))
  return importedWithin(db, { start, end: addDays(today, 366) }, today).flatMap(
    ({ end, eventId, feedName, kind, start }) =>
      kind === 'block'
        ? []
        : [
            {
              id: eventId,
              applicationId: null,
              name: `A guest of ${feedName}`,
              stay: { start, end },
              guests: null,
            },
          ],
  )
}
