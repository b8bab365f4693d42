import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { claims } from '../../../../db/schema.ts'
import type { Actor, Admin } from '../../../domain/accounts/access.ts'
import { stayErrors } from '../../../domain/bookings/application.ts'
import { endOfDay, offerRefusals } from '../../../domain/bookings/claim.ts'
import { offersSection, type PromiseInput } from '../../../domain/bookings/offer-form.ts'
import { guestCount } from '../../../domain/bookings/people.ts'
import { promiseUntil, requirePromiseUntil, yearLater } from '../../../domain/bookings/promise-until.ts'
import { addDays, type DateRange, overlaps } from '../../../domain/common/dates.ts'
import { AppError, fieldError } from '../../../domain/common/errors.ts'
import { centsToDollars } from '../../../domain/common/money.ts'
import { requireStepUp } from '../../auth/factors/step-up.ts'
import { acceptanceOf } from '../../bookings/calendars/bookable.ts'
import { refreshStaleFeeds } from '../../bookings/calendars/refresh-stale.ts'
import { claimsWithin, pendingOverlaps } from '../../bookings/claim-records.ts'
import { endOverClaims, setClaim } from '../../bookings/claims.ts'
import { type ApplicationRow, bookedStayOf, type OwnApplication } from '../../bookings/records.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../../kernel/deps.ts'
import { failpoint } from '../../lib/failpoint.ts'
import { readSection } from '../../site/settings.ts'
import { oncePerRequest } from '../manual/idempotency.ts'
import { tellGuest } from './mails.ts'
import { bookedRecord, checkNights, keepFor, tenantOf } from './make-offer.ts'
import { linesOf, priceOf } from './price.ts'
import { findOffer, type Offer, rangeOf, requireOffer, requireOpen } from './records.ts'
import { type ClaimAnswer, chargeLineView, presentOffer } from './views.ts'

type Wanted = Pick<PromiseInput, 'applicationId' | 'startDate' | 'endDate'>

/** The dates that are wanted, else the same a year later. @throws AppError bad_request */
function promisedStay({ application }: OwnApplication, { endDate, startDate }: Wanted): DateRange {
  const again = yearLater(bookedStayOf(application))
  const stay = { start: startDate ?? again.start, end: endDate ?? again.end }
  const [problem] = stayErrors(stay.start, stay.end, 'endDate')
  if (problem) throw fieldError(problem.path, problem.message)
  return stay
}

/** What 'Same Again Next Year' is filled in with. Writes nothing. @throws AppError as in `makePromise` */
export function proposePromise(deps: Deps, actor: Admin, wanted: Wanted) {
  const { db } = deps
  const record = bookedRecord(db, actor, wanted.applicationId)
  const stay = promisedStay(record, wanted)
  const { userId } = record.application
  const guests = guestCount(record.application)
  const { blocked, warnings } = checkNights(deps, db, { stay, guests, userId })
  const price = priceOf(db, stay, {}, record)
  const { lines, totalCents } = linesOf(db, stay, { guests }, price)
  return {
    startDate: stay.start,
    endDate: stay.end,
    until: promiseUntil(stay.start, todayAt(deps)),
    answerDays: readSection(db, offersSection).body.answerDays,
    platforms: 'closed' as const,
    guests,
    priceFrom: price.priceFrom,
    rentalAmount: centsToDollars(price.rentCents),
    depositAmount: centsToDollars(price.depositCents),
    lines: chargeLineView(lines),
    totalCents,
    blockedNights: blocked,
    warnings,
  }
}

/**
 * Promises a tenant nights: they stay free, but nobody else gets them before this tenant has been asked (CLAIM-28).
 * @throws AppError forbidden for words of the owner without a step-up; not_found; bad_request for dates; conflict if the
 * stay is not booked or promised already, or for taken or asked nights
 */
export async function makePromise(
  deps: Deps,
  actor: Admin,
  { requestId, ...input }: PromiseInput,
): Promise<ClaimAnswer> {
  const accept = acceptanceOf(deps, input.overrideCalendar)
  const { applicationId } = input
  bookedRecord(deps.db, actor, applicationId)
  const unread = await refreshStaleFeeds(deps)
  return deps.write(tx => {
    if (input.message || input.extraLines?.length) requireStepUp(deps, tx, actor)
    return oncePerRequest(tx, nowIso(deps), 'promise', requestId, () => {
      endOverClaims(deps, tx)
      const record = bookedRecord(tx, actor, applicationId)
      const person = tenantOf(tx, record)
      const stay = promisedStay(record, input)
      requireNotPromised(tx, applicationId)
      const guests = guestCount(record.application)
      const checked = checkNights(deps, tx, { stay, guests, userId: person.userId }, accept)
      const [asking] = pendingOverlaps(tx, stay, person.userId)
      if (asking) throw new AppError('conflict', offerRefusals.askedFor(asking.number))
      const lastDate = input.until ?? promiseUntil(stay.start, todayAt(deps))
      requirePromiseUntil(lastDate, stay.start, todayAt(deps))
      const untilAt = endOfDay(lastDate, deps.config.site.timeZone)
      const id = keepFor(deps, tx, actor, {
        kind: 'promise',
        person,
        stay,
        guests,
        untilAt,
        lastDate,
        applicationId,
        terms: input,
        taken: checked.taken,
        price: priceOf(tx, stay, input, record),
      })
      return { claim: presentOffer(deps, tx, id), warnings: [...unread, ...checked.warnings] }
    })
  })
}

/** One live promise a stay. @throws AppError conflict */
function requireNotPromised(tx: Tx, applicationId: string): void {
  const ofStay = and(eq(claims.applicationId, applicationId), eq(claims.kind, 'promise'))
  const live = tx
    .select()
    .from(claims)
    .where(and(ofStay, isNull(claims.endedAt)))
    .all()
  if (live.some(({ state }) => state !== 'accepted')) throw new AppError('conflict', offerRefusals.promised)
}

/**
 * The tenant of each promise on the nights of a new application by somebody else is asked for an answer, by the first
 * one (CLAIM-31). Must run in the write that submits it, or moves it while it is pending.
 */
export function askPromises(deps: Deps, tx: Tx, actor: Actor, application: ApplicationRow): void {
  const stay = bookedStayOf(application)
  for (const { id, kind, state, userId } of claimsWithin(deps, tx, stay)) {
    if (kind !== 'promise' || state !== 'open' || userId === application.userId) continue
    const offer = findOffer(deps, tx, id)
    if (offer && overlaps(rangeOf(offer.claim), stay)) askFor(deps, tx, actor, offer, false)
  }
}

/** 'Ask Now'. @throws AppError not_found; conflict unless it is an open promise */
export async function askNow(deps: Deps, actor: Admin, claimId: string) {
  return deps.write(tx => {
    endOverClaims(deps, tx)
    const offer = requireOffer(deps, tx, claimId)
    requireOpen(deps, offer)
    if (offer.claim.kind !== 'promise') throw new AppError('conflict', 'Only a promise can be asked about.')
    if (offer.claim.state === 'asked') throw new AppError('conflict', offerRefusals.awaited)
    askFor(deps, tx, actor, offer, true)
    return presentOffer(deps, tx, claimId)
  })
}

function askFor(deps: Deps, tx: Tx, actor: Actor, { claim, terms }: Offer, askedByOwner: boolean): void {
  const { timeZone } = deps.config.site
  const [lastDay = ''] = [addDays(todayAt(deps), terms.answerDays), addDays(claim.startDate, -1)].sort()
  const untilAt = endOfDay(lastDay, timeZone)
  const at = nowIso(deps)
  setClaim(
    tx,
    claim.id,
    { state: 'asked', untilAt, askedByOwner, version: claim.version + 1 },
    { isTold: true },
  )
  recordEvent(tx, at, actor, 'claim.asked', claim.id, { untilAt })
  failpoint('in-asking')
  const offer = findOffer(deps, tx, claim.id)
  if (offer) tellGuest(deps, tx, 'promise-asked', offer)
}
