import { and, count, desc, eq, gte, inArray, like, lte, max, or, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, events, isBookedRow, stayGates } from '../../../db/schema.ts'
import {
  type Gate,
  type GateMoment,
  type GateState,
  gateOf,
  type Missing,
  missingOf,
  type StayMoney,
} from '../../domain/arrival/stay-gate.ts'
import { stayRefusals } from '../../domain/arrival/stay-messages.ts'
import { checkInAt, checkOutAt, type StaySettings, staySection } from '../../domain/arrival/stay-settings.ts'
import { isBooked } from '../../domain/bookings/application-status.ts'
import {
  addDays,
  type CalendarDate,
  type DateRange,
  dateIn,
  datesInRange,
} from '../../domain/common/dates.ts'
import { AppError } from '../../domain/common/errors.ts'
import { importedWithin } from '../bookings/imported-nights.ts'
import { bookingsWithin } from '../bookings/nights.ts'
import {
  type ApplicationRecord,
  bookedStayOf,
  isSigned,
  needsLease,
  selectRecords,
  signingOf,
} from '../bookings/records.ts'
import { movedEvent } from '../bookings/terms.ts'
import { futureEventTime } from '../kernel/clock-skew.ts'
import type { Deps } from '../kernel/deps.ts'
import { moneyOf, planStateOf } from '../money/records.ts'
import { currentSite } from '../site/content/published.ts'
import { readSection } from '../site/settings.ts'

export type GateRow = typeof stayGates.$inferSelect & { holdUntil?: string | null }
/** A stay as of now: where its gate stands, and what is missing. */
export type Stay = {
  record: ApplicationRecord
  row: GateRow | undefined
  isBooked: boolean
  gate: Gate
  /** The state that the gate would have now if the owner had not opened or closed it by hand. */
  automatic: GateState
  /** Whether the rule alone would open the gate now, without the owner's decision or an earlier opening. */
  isOpenByRule: boolean
  missing: readonly Missing[]
  /** The amount that is due and neither paid nor being processed, including a charged deposit. */
  owedCents: number
  moment: StayMoment
}
export type StayMoment = GateMoment & { settings: StaySettings }

/** The moment by which gates are worked out. */
export function momentOf(deps: Deps, db: Db): StayMoment {
  const { timeZone } = currentSite(deps)
  const now = deps.clock.now()
  return {
    now,
    timeZone,
    today: dateIn(now, timeZone),
    settings: readSection(db, staySection).body,
    isClockWrong: futureEventTime({ clock: deps.clock, db }) !== undefined,
  }
}

/** The stay of an application, also of one that is not booked. */
export function readStay(deps: Deps, db: Db, record: ApplicationRecord, moment = momentOf(deps, db)): Stay {
  const { application, lease } = record
  const { end, start } = bookedStayOf(application)
  const row = gateRow(db, application.id, `${start} ${end}`)
  const unsigned = signingOf(record).own > 0 ? 'partly_signed' : 'unsigned'
  const { chargedDepositCents, isLeaseNeeded, ...money } = dueNow(deps, db, record, moment)
  const leaseState = !isLeaseNeeded || isSigned(lease) ? 'signed' : lease ? unsigned : 'none'
  const missing = missingOf(application.id, leaseState, money)
  const owedCents = money.due.reduce((sum, { cents }) => sum + cents, chargedDepositCents)
  const facts = {
    isBooked: isBooked(application.status) && application.deletedAt === null,
    startDate: start,
    endDate: end,
    closesAt: row?.holdUntil ? closesAt(row.holdUntil, moment) : undefined,
    missing,
    openedAt: row?.openedAt ?? null,
    hold: row?.hold ?? null,
  }
  const gate = gateOf(facts, moment)
  const free = { ...facts, closesAt: undefined, hold: null }
  const automatic = gateOf(free, moment).state
  const isOpenByRule = gateOf({ ...free, openedAt: null }, moment).state === 'open'
  return { record, row, isBooked: facts.isBooked, missing, owedCents, moment, gate, automatic, isOpenByRule }
}

/** When a stay closes that the owner lets in for longer: a moment, or a day's check-out time. */
export const closesAt = (until: string, { settings, timeZone }: StayMoment): Date =>
  until.length > 10 ? new Date(until) : checkOutAt({ endDate: until }, settings, timeZone)

/** How many days after its last one a stay can stay open by hand (STAY-10). */
export const maxDaysAfter = 7

/** The days to which a stay can be extended: those after its last day whose check-out time has not passed. */
export function laterDays({ end }: DateRange, moment: StayMoment): CalendarDate[] {
  const week = { start: addDays(end, 1), end: addDays(end, maxDaysAfter + 1) }
  return datesInRange(week).filter(day => closesAt(day, moment) > moment.now)
}
/** The owner opens or closes a gate by hand; the dates are those of that moment. */
export const heldEvent = 'stay.held'

/** The newest decision of the owner about the gate of a stay. */
export const lastHold = (db: Db, applicationId: string) =>
  db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, applicationId), eq(events.kind, heldEvent)))
    .orderBy(desc(events.id))
    .limit(1)
    .get()

/** Whether the owner has ever opened the gate of this stay by hand. */
export function wasOpenedByHand(db: Db, applicationId: string): boolean {
  const isOpening = and(eq(events.kind, heldEvent), eq(sql`${events.detail} ->> 'hold'`, 'open'))
  const isTheirs = and(eq(events.subjectId, applicationId), isOpening)
  return db.select({ id: events.id }).from(events).where(isTheirs).limit(1).get() !== undefined
}

/**
 * Whether the gate is open only because the owner opened it by hand after check-in. That is not recorded as having been
 * open, so that nothing stays open once it ends (STAY-11).
 */
export const isOpenByHandOnly = ({ gate, moment, row }: Stay): boolean =>
  row?.hold === 'open' && row.openedAt === null && moment.now >= gate.checkInAt

/** Events that change the dates: a lease, an addendum, or an edit by the owner. */
const isMove = or(
  eq(events.kind, movedEvent),
  and(eq(events.kind, 'application.updated'), like(sql`${events.detail} ->> 'fields'`, '%requested%Date%')),
)

/** A gate opened by hand is so for these nights, until they change or the application is declined or cancelled (STAY-10). */
function gateRow(db: Db, applicationId: string, stay: string): GateRow | undefined {
  const row = db.select().from(stayGates).where(eq(stayGates.applicationId, applicationId)).get()
  if (row?.hold !== 'open') return row
  const over = ['application.rejected', 'application.withdrawn', 'application.cancelled']
  const ends = or(inArray(events.kind, [heldEvent, ...over]), isMove)
  const last = db
    .select()
    .from(events)
    .where(and(eq(events.subjectId, applicationId), ends))
    .orderBy(desc(events.id))
    .get()
  const { stay: held, until } = last?.kind === heldEvent ? last.detail : {}
  return held === stay
    ? { ...row, holdUntil: typeof until === 'string' ? until : null }
    : { ...row, hold: null, holdReason: null, holdAt: null }
}

/** The settings. @throws AppError conflict while arrival information is off (STAY-01) */
export function requireOn({ moment: { settings } }: Stay): StaySettings {
  if (!settings.enabled) throw new AppError('conflict', stayRefusals.off)
  return settings
}

/** The amount that is due now, the charged deposit, and whether a lease is still needed. */
function dueNow(
  deps: Deps,
  db: Db,
  record: ApplicationRecord,
  { today }: GateMoment,
): StayMoney & { chargedDepositCents: number; isLeaseNeeded: boolean } {
  const plan = planStateOf(deps, db, record)
  const found = plan ? { ...plan.money, money: plan.money } : moneyOf(db, record.application)
  const { money } = found
  const { onItsWay } = money
  const isLeaseNeeded = needsLease(record, () => money.balanceCents)
  // Before a lease the deposit is due that it would have (CHG-30), though it is in no balance yet.
  const { depositDueCents } = isLeaseNeeded ? found : money
  const deposit = {
    isLeaseNeeded,
    chargedDepositCents: Math.max(0, money.depositDueCents - onItsWay.depositCents),
    depositCents: Math.max(0, depositDueCents - onItsWay.depositCents),
    comingCents: Math.min(depositDueCents, onItsWay.depositCents),
  }
  if (plan) {
    const due = plan.installments.filter(
      ({ dueDate, kind, state }) =>
        kind !== 'deposit' && state !== 'waived' && dueDate !== null && dueDate <= today,
    )
    const comingCents = due.reduce((sum, { onItsWayCents }) => sum + onItsWayCents, 0)
    return {
      ...deposit,
      due: due.flatMap(({ dueDate, openCents }) => (openCents > 0 ? [{ cents: openCents, dueDate }] : [])),
      onItsWayCents: deposit.comingCents + comingCents,
    }
  }
  const restCents = Math.max(0, money.balanceCents - money.depositDueCents)
  const comingCents = Math.min(restCents, onItsWay.otherCents)
  const openCents = restCents - comingCents
  return {
    ...deposit,
    due: openCents > 0 ? [{ cents: openCents, dueDate: null }] : [],
    onItsWayCents: deposit.comingCents + comingCents,
  }
}

/** The booked stays that begin within so many days (14: those whose codes are drawn, STAY-17) and ended at most so many days ago, by arrival. */
export function listStays(deps: Deps, db: Db, daysBack = 1, daysAhead = 14): Stay[] {
  const moment = momentOf(deps, db)
  const { stayEndDate, stayStartDate } = applications
  return selectRecords(db)
    .where(
      and(
        isBookedRow,
        lte(stayStartDate, addDays(moment.today, daysAhead)),
        gte(stayEndDate, addDays(moment.today, -daysBack)),
      ),
    )
    .orderBy(stayStartDate)
    .all()
    .map(record => readStay(deps, db, record, moment))
}

/**
 * The next arrival, of a guest of another platform too, in the days for which this stay can stay open by hand; not of
 * guests who have left again.
 */
export function nextArrival(
  db: Db,
  { moment, record: { application } }: Stay,
): { guestName: string; at: Date } | undefined {
  const { end } = bookedStayOf(application)
  const days = { start: end, end: addDays(end, maxDaysAfter + 1) }
  const booked = bookingsWithin(db, days, application.id).map(({ firstName, lastName, ...stay }) => ({
    guestName: `${firstName} ${lastName}`,
    ...stay,
  }))
  const imported = importedWithin(db, days, moment.today).flatMap(({ feedName, kind, ...stay }) =>
    kind === 'block' ? [] : { guestName: `A guest of ${feedName}`, ...stay },
  )
  const hasLeft = (endDate: CalendarDate) =>
    checkOutAt({ endDate }, moment.settings, moment.timeZone) <= moment.now
  const [next] = [...booked, ...imported]
    .filter(each => each.start >= end && !hasLeft(each.end))
    .sort((a, b) => (a.start < b.start ? -1 : 1))
  if (!next) return undefined
  const at = checkInAt({ startDate: next.start }, moment.settings, moment.timeZone)
  return { guestName: next.guestName, at }
}

/** The new departure days of guests whose stays were extended by hand, by application id. */
export const laterDepartures = (deps: Deps): ReadonlyMap<string, CalendarDate> =>
  new Map(
    listStays(deps, deps.db, maxDaysAfter, 0).flatMap(({ gate, moment, record, row }) =>
      gate.state === 'open' && row?.holdUntil
        ? [[record.application.id, dateIn(gate.checkOutAt, moment.timeZone)] as const]
        : [],
    ),
  )

/** How often and when the dates of a stay were set last, its booking included. */
export function changesOf(db: Db, applicationId: string): { changes: number; changedAt: string } {
  const kinds = ['application.approved', 'application.entered', 'lease.generated', 'lease.deleted']
  const { at, changes } = db
    .select({ changes: count(), at: max(events.at) })
    .from(events)
    .where(and(eq(events.subjectId, applicationId), or(inArray(events.kind, kinds), isMove)))
    .get() ?? { changes: 0, at: null }
  return { changes, changedAt: at ?? '1970-01-01T00:00:00.000Z' }
}

export const guestNameOf = ({ application }: ApplicationRecord): string =>
  `${application.firstName} ${application.lastName}`
