import { and, desc, eq, isNull, type SQL } from 'drizzle-orm'
import { claims, events } from '../../../../db/schema.ts'
import type { Admin, SignedIn } from '../../../domain/accounts/access.ts'
import { refusalOf } from '../../../domain/bookings/claim.ts'
import { dayMs } from '../../../domain/common/durations.ts'
import type { ClaimRow } from '../../bookings/claim-records.ts'
import { getSubmittedApplication } from '../../bookings/records.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import { yieldToEventLoop } from '../../lib/event-loop.ts'
import { ownOffers, selectClaims } from './records.ts'
import { type ClaimView, type OwnClaimView, presentClaim, presentForGuest, presentOffer } from './views.ts'

const maxListed = 200

type Filter = Partial<Pick<ClaimRow, 'kind' | 'state'>> & { applicationId?: string | undefined }

/** Those that are not ended by arrival, then ended ones, newest first. @throws AppError not_found for a booking */
export async function listClaims(
  deps: Deps,
  actor: Admin,
  { applicationId, kind, state }: Filter,
): Promise<ClaimView[]> {
  const { db } = deps
  if (applicationId !== undefined) getSubmittedApplication(db, actor, applicationId)
  const isWanted = and(
    kind && eq(claims.kind, kind),
    applicationId === undefined ? undefined : eq(claims.applicationId, applicationId),
  )
  const found = (which: SQL | undefined, order: SQL | typeof claims.startDate) =>
    selectClaims(db, and(isWanted, which), order, maxListed)
  const standing = found(isNull(claims.endedAt), claims.startDate)
  const ended = found(eq(claims.state, 'ended'), desc(claims.endedAt))
  const views: ClaimView[] = []
  for (const row of [...standing, ...ended]) {
    const view = presentClaim(deps, db, row)
    if (state === undefined || view.state === state) views.push(view)
    if (views.length === maxListed) break
    // Each counts its price anew.
    await yieldToEventLoop()
  }
  return views
}

/** @throws AppError not_found */
export function readClaim(deps: Deps, _actor: Admin, id: string) {
  const found = deps.db.select().from(events).where(eq(events.subjectId, id)).orderBy(events.id).all()
  const shown = found.map(({ actorRole, at, detail, kind }) => ({ kind, at, actorRole, detail }))
  return { claim: presentOffer(deps, deps.db, id), events: shown }
}

const shownMs = 30 * dayMs

/** A person's own offers, live or ended within 30 days, newest first. */
export function listOwnOffers(deps: Deps, actor: SignedIn): OwnClaimView[] {
  const now = nowIso(deps)
  const since = new Date(Date.parse(now) - shownMs).toISOString()
  return ownOffers(deps, deps.db, actor)
    .filter(({ claim }) => {
      const isOpen = claim.state === 'accepted' || !refusalOf(claim, now, deps.config.site.timeZone)
      return isOpen || (claim.endedAt ?? claim.untilAt) > since
    })
    .map(offer => ({
      _id: offer.claim.id,
      id: offer.claim.id,
      ...presentForGuest(deps, deps.db, offer),
    }))
}
