import { and, desc, eq, gte, isNull, lt, or } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, claims, isBookedRow } from '../../../../db/schema.ts'
import { hourMs } from '../../../domain/common/durations.ts'
import { formatShortStay } from '../../../domain/common/stay.ts'
import { atPresent, isKeeping, nameOf, pendingOverlaps } from '../../bookings/claim-records.ts'
import { type ApplicationRow, bookedStayOf } from '../../bookings/records.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { maxPerKind, type NoticeCheck, openApplication } from '../../kernel/notice.ts'
import { findOffer, missingOf, rangeOf, staysBooked } from './records.ts'

/**
 * Bookings of accepted offers whose time to sign and pay is over: with something done, or for an hour without an answer
 * of the card provider (CLAIM-26).
 */
export const incompleteOffers: NoticeCheck = deps => {
  const anHourAgo = new Date(deps.clock.now().getTime() - hourMs).toISOString()
  const isUnchecked = and(eq(claims.state, 'accepted'), lt(claims.untilAt, anHourAgo))
  return deps.db
    .select({ id: claims.id, endedAt: claims.endedAt, untilAt: claims.untilAt, application: applications })
    .from(claims)
    .innerJoin(applications, eq(applications.id, claims.acceptedApplicationId))
    .where(and(or(eq(claims.endedAs, 'incomplete'), isUnchecked), isBookedRow))
    .orderBy(desc(claims.untilAt))
    .all()
    .flatMap(({ application, endedAt, id, untilAt }) => {
      const offer = findOffer(deps, deps.db, id)
      const missing = offer ? missingOf(deps.db, offer) : []
      if (!offer || missing.length === 0) return []
      const state =
        endedAt === null && !staysBooked(deps.db, application.id)
          ? 'keeps its nights until it is known whether anything was paid.'
          : 'stays booked.'
      return {
        id: `claim-incomplete-${id}`,
        title: `The time of ${nameOf(offer.claim)} to sign and pay is over`,
        detail: `${application.number} ${state} ${missing.join(' ')}`,
        at: endedAt ?? untilAt,
        action: openApplication(application.id),
      }
    })
    .slice(0, maxPerKind)
}

type Task = { applicationId: string; kind: 'offer'; title: string; detail: string; action: string }
const taskOf = (application: ApplicationRow, title: string, action: string): Task => ({
  applicationId: application.id,
  kind: 'offer',
  title,
  action,
  detail: `${formatShortStay(bookedStayOf(application))} · ${application.number}`,
})

/** What waits for the owner: accepted offers, and who asks for dates that are or were promised. */
export function offerTasks(deps: Deps): Task[] {
  const { db } = deps
  const today = todayAt(deps)
  const keeping = db.select().from(claims).where(isKeeping).all()
  const promises = keeping.map(row => atPresent(deps, db, row)).filter(({ state }) => state === 'asked')
  const passed = db
    .select()
    .from(claims)
    .where(and(eq(claims.endedAs, 'passed'), gte(claims.startDate, today)))
    .all()
  const asking = (rows: typeof keeping, tell: (row: (typeof keeping)[number], by: ApplicationRow) => Task) =>
    rows.flatMap(row => pendingOverlaps(db, rangeOf(row), row.userId).map(by => tell(row, by)))
  const tasks = [
    ...acceptedOffers(db),
    ...asking(promises, (row, by) =>
      taskOf(by, `${nameOf(by)} asks for dates promised to ${nameOf(row)}`, 'Look'),
    ),
    ...asking(passed, (_, by) => taskOf(by, `You can answer ${by.number} now.`, 'Decide')),
  ]
  return tasks.slice(0, maxPerKind)
}

/** The action of an accepted offer, which tells that its lease and deposit are open. */
export const seeBooking = 'See the booking'

const acceptedOffers = (db: Db): Task[] =>
  db
    .select({ claim: claims, application: applications })
    .from(claims)
    .innerJoin(applications, eq(applications.id, claims.acceptedApplicationId))
    .where(and(eq(claims.state, 'accepted'), isNull(applications.deletedAt)))
    .all()
    .map(({ application, claim }) => taskOf(application, `${nameOf(claim)} accepted your offer`, seeBooking))
