import { randomUUID } from 'node:crypto'
import { and, eq, isNull, lte, type SQL } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { claims } from '../../../../db/schema.ts'
import { type Actor, type System, system } from '../../../domain/accounts/access.ts'
import type { ClaimEnd, ClaimKind } from '../../../domain/bookings/claim.ts'
import type { DateRange } from '../../../domain/common/dates.ts'
import { recordEvent } from '../../kernel/audit.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'

type NewClaim = {
  kind: ClaimKind
  /** The first moment at which it is not live any more. */
  untilAt: string
  applicationId: string
  leaseId: string
}

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
    const { applicationId, kind, untilAt } = claim
    recordEvent(tx, at, actor, 'claim.made', id, { kind, applicationId, stay: `${start} ${end}`, untilAt })
    return id
  })
}

/** Ends what an addendum holds. Does nothing where its claims have ended. */
export const endClaimsOf = (
  deps: Deps,
  tx: Tx,
  actor: Actor | System,
  leaseId: string,
  endedAs: ClaimEnd,
): void => end(deps, tx, actor, eq(claims.leaseId, leaseId), endedAs)

/**
 * Ends the claims whose clock has run out. A write that changes bookings, claims or the owner's blocks does it first, so
 * that what it builds on their end stands when the clock goes back (CLAIM-03).
 */
export const endOverClaims = (deps: Deps, tx: Tx): void =>
  end(deps, tx, system, lte(claims.untilAt, nowIso(deps)), 'expired')

function end(deps: Deps, tx: Tx, actor: Actor | System, which: SQL, endedAs: ClaimEnd): void {
  const at = nowIso(deps)
  const ended = tx
    .update(claims)
    .set({ state: 'ended', endedAt: at, endedAs })
    .where(and(isNull(claims.endedAt), which))
    .returning({ id: claims.id, applicationId: claims.applicationId })
    .all()
  for (const { applicationId, id } of ended)
    recordEvent(tx, at, actor, 'claim.ended', id, { endedAs, applicationId })
}
