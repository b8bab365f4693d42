import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { claims, claimTerms } from '../../../db/schema.ts'
import { type Actor, type System, system } from '../../domain/accounts/access.ts'
import { type ClaimEnd, endOfDay } from '../../domain/bookings/claim.ts'
import { lastSecureDay } from '../../domain/bookings/securing.ts'
import { addDays, type CalendarDate, type DateRange } from '../../domain/common/dates.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { findUser } from '../auth/sessions/users.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso, todayAt } from '../kernel/deps.ts'
import { failpoint } from '../lib/failpoint.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { currentSite } from '../site/content/published.ts'
import { atPresent, type ClaimRow, isKeeping, isLive, nameOf, overClaims } from './claim-records.ts'

type Inserted = typeof claims.$inferInsert
type NewClaim = Omit<Inserted, 'id' | 'state' | 'startDate' | 'endDate' | 'createdAt' | 'createdBy'>

/** Holds nights, one claim for each range. The caller must have checked them in the same write (CLAIM-05). */
export function makeClaims(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  nights: readonly DateRange[],
  claim: NewClaim,
): string[] {
  const at = nowIso(deps)
  const createdBy = 'userId' in actor ? actor.userId : null
  return nights.map(({ end, start }) => {
    const id = randomUUID()
    tx.insert(claims)
      .values({ ...claim, id, state: 'open', startDate: start, endDate: end, createdAt: at, createdBy })
      .run()
    const { applicationId = null, kind, untilAt } = claim
    recordEvent(tx, at, actor, 'claim.made', id, { kind, applicationId, stay: `${start} ${end}`, untilAt })
    return id
  })
}

/** Stores what a claim offers. */
export const addTerms = (tx: Tx, terms: typeof claimTerms.$inferInsert): void =>
  void tx.insert(claimTerms).values(terms).run()

/** Changes a claim; `round` when its person is told of it, so that earlier mails are not sent any more. */
export function setClaim(
  tx: Tx,
  id: string,
  set: Partial<Inserted>,
  terms: Partial<typeof claimTerms.$inferInsert> & { isTold?: boolean } = {},
): void {
  const { isTold = false, ...values } = terms
  if (Object.keys(set).length > 0) tx.update(claims).set(set).where(eq(claims.id, id)).run()
  const told = isTold && { round: sql`${claimTerms.round} + 1` }
  if (isTold || Object.keys(values).length > 0)
    tx.update(claimTerms)
      .set({ ...values, ...told })
      .where(eq(claimTerms.claimId, id))
      .run()
}

/** Ends what an addendum holds, after `endOverClaims`. Does nothing where its claims have ended. */
export function endClaimsOf(
  deps: Deps,
  tx: Tx,
  actor: Actor | System,
  leaseId: string,
  endedAs: ClaimEnd,
): void {
  endOverClaims(deps, tx)
  end(deps, tx, actor, eq(claims.leaseId, leaseId), endedAs)
}

/** Keeps what an addendum holds at least until then. */
export const keepClaimsOf = (tx: Tx, leaseId: string, untilAt: string): void =>
  void tx
    .update(claims)
    .set({ untilAt })
    .where(and(eq(claims.leaseId, leaseId), isNull(claims.endedAt), lt(claims.untilAt, untilAt)))
    .run()

/**
 * A lease written anew gives whoever accepted an offer the days to sign and pay again, never fewer than were left
 * (CLAIM-25). Returns the offer, for the mail of the lease.
 */
export function renewSecuring(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  applicationId: string,
  startDate: CalendarDate,
): { claimId: string } | undefined {
  const isIts = and(eq(claims.state, 'accepted'), eq(claims.acceptedApplicationId, applicationId))
  const found = tx
    .select()
    .from(claims)
    .innerJoin(claimTerms, eq(claimTerms.claimId, claims.id))
    .where(isIts)
    .get()
  if (!found) return undefined
  const claimId = found.claims.id
  const { secureDays } = found.claim_terms
  const day = lastSecureDay({ startDate, secureDays }, todayAt(deps))
  const untilAt = endOfDay(day, deps.config.site.timeZone)
  // An end later than that was set while the clock was ahead.
  const latest = endOfDay(addDays(todayAt(deps), secureDays + 1), deps.config.site.timeZone)
  if (untilAt <= found.claims.untilAt && found.claims.untilAt <= latest) return { claimId }
  setClaim(tx, claimId, { untilAt }, { isTold: true })
  recordEvent(tx, nowIso(deps), actor, 'claim.changed', claimId, { untilAt })
  return { claimId }
}

/** Ends these claims, with the words of who ended them. */
export const endClaims = (
  deps: Deps,
  tx: Tx,
  actor: Actor | System,
  ids: readonly string[],
  endedAs: ClaimEnd,
  reason?: string,
): void => end(deps, tx, actor, inArray(claims.id, [...ids]), endedAs, reason)

/**
 * Ends the offers and promises made from a booking that is declined, canceled or deleted, and the accepted offer that
 * became this booking. Call `endOverClaims` first.
 */
export function closeClaimsOf(deps: Deps, tx: Tx, actor: Actor | System, applicationId: string): void {
  const comesFrom = and(isKeeping, eq(claims.applicationId, applicationId), isNull(claims.leaseId))
  const became = and(eq(claims.state, 'accepted'), eq(claims.acceptedApplicationId, applicationId))
  end(deps, tx, actor, or(comesFrom, became), 'closed')
}

/**
 * Ends the claims whose deadline has passed. A write that changes bookings, claims or the owner's blocks does it first, so
 * that what it builds on their end stands when the clock goes back (CLAIM-03). A promise that nobody asks for any more
 * is open again (CLAIM-32).
 */
export function endOverClaims(deps: Deps, tx: Tx): void {
  const at = nowIso(deps)
  for (const over of overClaims(tx, at)) {
    const row = atPresent(deps, tx, over)
    if (isLive(at, row)) {
      setClaim(tx, row.id, { state: row.state, untilAt: row.untilAt }, { isTold: true })
      recordEvent(tx, at, system, 'claim.changed', row.id, { state: row.state, untilAt: row.untilAt })
    } else endClaims(deps, tx, system, [row.id], row.state === 'asked' ? 'passed' : 'expired')
  }
}

function end(
  deps: Deps,
  tx: Tx,
  actor: Actor | System,
  which: SQL | undefined,
  endedAs: ClaimEnd,
  reason?: string,
): void {
  const at = nowIso(deps)
  const ended = tx
    .update(claims)
    .set({ state: 'ended', endedAt: at, endedAs })
    .where(and(isNull(claims.endedAt), which))
    .returning()
    .all()
  for (const row of ended) {
    recordEvent(tx, at, actor, 'claim.ended', row.id, {
      endedAs,
      applicationId: row.applicationId,
      ...(reason && { reason }),
    })
    failpoint('in-claim-end')
    tellOfEnd(deps, tx, at, row, endedAs, reason)
  }
}

/** Mails the other side of an offer or a promise. */
function tellOfEnd(deps: Deps, tx: Tx, at: string, row: ClaimRow, endedAs: ClaimEnd, reason?: string): void {
  if (row.kind === 'addendum') return
  const validFor = (days: number) => new Date(Date.parse(at) + days * dayMs).toISOString()
  const props = { claimId: row.id, ...(reason && { reason }) }
  if (endedAs === 'declined')
    enqueueMail(tx, at, {
      kind: 'offer-declined',
      to: currentSite(deps).ownerEmail,
      dedupeKey: `offer-declined:${row.id}`,
      props: { ...props, name: nameOf(row) },
      validUntil: validFor(7),
    })
  // An accepted offer has a booking, and the end of that is mailed anyway.
  const isClosed = endedAs === 'closed' && row.acceptedApplicationId === null
  if (endedAs === 'withdrawn' || endedAs === 'expired' || endedAs === 'passed' || isClosed)
    enqueueMail(tx, at, {
      kind: 'offer-over',
      to: (row.userId && findUser(tx, row.userId)?.email) || row.email,
      dedupeKey: `offer-over:${row.id}`,
      props,
      validUntil: validFor(3),
    })
}
