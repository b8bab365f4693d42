import { and, eq, gt, inArray, isNull } from 'drizzle-orm'
import { applications, cancellations, returnLegs } from '../../../../db/schema.ts'
import { rebookedShareCents } from '../../../domain/bookings/cancellation.ts'
import { addDays, nightsBetween } from '../../../domain/common/dates.ts'
import { formatCents } from '../../../domain/common/money.ts'
import { plural } from '../../../domain/common/plural.ts'
import { bookedStayOf } from '../../bookings/records.ts'
import { whoMayBook } from '../../bookings/who-may-book.ts'
import { type Deps, todayAt } from '../../kernel/deps.ts'
import { type FoundNotice, type NoticeCheck, openApplication } from '../../kernel/notice.ts'
import { currentLegs } from '../../money/payments/returns/current-legs.ts'
import type { LegRow } from '../../money/payments/returns/legs.ts'
import { heldCents } from '../../money/payments/unexpected-payments.ts'

/** Requests that wait, refunds that wait for the owner or failed, and nights of cancelled stays that were booked again. */
export const cancellationNotices: NoticeCheck = deps => [
  ...waitingRequests(deps),
  ...openRefunds(deps),
  ...rebookedStays(deps),
]

const withApplication = ({ db }: Deps, state: 'requested' | 'cancelled') =>
  db
    .select({ row: cancellations, application: applications })
    .from(cancellations)
    .innerJoin(applications, eq(applications.id, cancellations.applicationId))
    .where(and(eq(cancellations.state, state), isNull(applications.deletedAt)))
    .$dynamic()

const waitingRequests = (deps: Deps): FoundNotice[] =>
  withApplication(deps, 'requested')
    .all()
    .map(({ application: { firstName, id, lastName, number }, row }) => ({
      id: `cancellation-${id}`,
      tone: 'warning' as const,
      title: `${firstName} ${lastName} asks to cancel ${number}`,
      detail: `“${row.reason.slice(0, 200)}” Cancel the stay, or keep the booking.`,
      at: row.requestedAt,
      action: openApplication(id),
      ownMail: true,
    }))

/** CHANGE-15 */
function openRefunds({ db }: Deps): FoundNotice[] {
  return db
    .selectDistinct({ cancellationId: cancellations.id, application: applications })
    .from(returnLegs)
    .innerJoin(cancellations, eq(cancellations.id, returnLegs.causeId))
    .innerJoin(applications, eq(applications.id, returnLegs.applicationId))
    .where(
      and(
        eq(returnLegs.cause, 'cancellation'),
        inArray(returnLegs.state, ['waiting', 'failed']),
        eq(cancellations.state, 'cancelled'),
        isNull(applications.deletedAt),
      ),
    )
    .all()
    .flatMap(({ application, cancellationId }) =>
      currentLegs(db, application.id).flatMap(leg =>
        leg.causeId === cancellationId ? { application, leg } : [],
      ),
    )
    .flatMap(({ application: { firstName, id, lastName, number }, leg }): FoundNotice[] => {
      const name = `${firstName} ${lastName}`
      const of = { id: `cancellation-refund-${leg.id}`, at: leg.updatedAt, action: openApplication(id) }
      const cents = formatCents(leg.totalCents)
      if (leg.state === 'failed')
        return [
          {
            ...of,
            title: `${cents} did not go back to ${name}`,
            detail: `${leg.error ?? 'The refund did not go through.'} Try again, or give ${handText(leg)} back by hand.`,
          },
        ]
      if (leg.state !== 'waiting' || leg.by !== 'hand') return []
      const detail = `The stay ${number} was cancelled. Record the refund once it is done.`
      return [{ ...of, tone: 'warning', title: `Return ${cents} to ${name}`, detail }]
    })
}

/** A refund by check or transfer does not include the card fee. */
const handText = ({ amountCents, feeCents }: LegRow) =>
  feeCents > 0 ? `${formatCents(amountCents)}, without the card fee of ${formatCents(feeCents)},` : 'it'

/** For how long after a cancelled stay the notice about its nights stands. */
const rebookedDays = 60

/** CHANGE-17: until its share of what was kept has gone back, or the stay is long over. */
function rebookedStays(deps: Deps): FoundNotice[] {
  const since = addDays(todayAt(deps), -rebookedDays)
  return withApplication(deps, 'cancelled')
    .where(
      and(
        eq(cancellations.state, 'cancelled'),
        isNull(applications.deletedAt),
        gt(cancellations.keptCents, 0),
        gt(applications.stayEndDate, since),
      ),
    )
    .all()
    .flatMap(({ application, row }): FoundNotice[] => {
      const stay = bookedStayOf(application)
      const again = whoMayBook(deps, deps.db, stay, { withoutImported: true })
      const nights = again.filter(({ stands }) => stands === 'booking').length
      if (nights === 0) return []
      const kept = row.keptCents ?? 0
      const share = rebookedShareCents(kept, nights, nightsBetween(stay.start, stay.end))
      // What is held beyond what was kept goes back anyway.
      const left = share - Math.max(0, kept - heldCents(deps.db, application))
      if (left <= 0) return []
      return [
        {
          id: `rebooked-${application.id}`,
          tone: 'warning',
          title: `${plural(nights, 'night')} of the cancelled stay ${application.number} ${nights === 1 ? 'is' : 'are'} booked again`,
          detail: `Its share of the ${formatCents(kept)} that you kept is ${formatCents(share)}. The lease promises it back.`,
          action: openApplication(application.id),
        },
      ]
    })
}
