import { and, asc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, claims } from '../../../../db/schema.ts'
import type { DateRange } from '../../../domain/common/dates.ts'
import { cachedUntilWrite } from '../../kernel/cached-until-write.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'

export type ClaimRow = typeof claims.$inferSelect
/** Nights that are kept for somebody: an addendum's for its booking. */
export type Claim = DateRange & {
  id: string
  applicationId: string | null
  /** The account of that booking. */
  userId: string | null
  /** Whom the owner reads of: the booking's number. */
  who: string
  untilAt: string
}

/** The live claims that share a night with the half-open range, by their first night (CLAIM-02). */
export function claimsWithin(db: Db, now: string, range: DateRange): Claim[] {
  return db
    .select({
      id: claims.id,
      applicationId: claims.applicationId,
      userId: applications.userId,
      who: applications.number,
      start: claims.startDate,
      end: claims.endDate,
      untilAt: claims.untilAt,
    })
    .from(claims)
    .leftJoin(applications, eq(applications.id, claims.applicationId))
    .where(
      and(
        isNull(claims.endedAt),
        gt(claims.untilAt, now),
        gt(claims.endDate, range.start),
        lt(claims.startDate, range.end),
      ),
    )
    .orderBy(asc(claims.startDate), asc(claims.id))
    .all()
    .map(claim => ({ ...claim, who: claim.who ?? '' }))
}

/** Names the live claims: what is kept until the next write under this key also ends with the clock of a claim. */
export function liveClaimsKey(deps: Deps): string {
  const rows = cachedUntilWrite(deps, 'claims not ended', () =>
    deps.db
      .select({ id: claims.id, untilAt: claims.untilAt })
      .from(claims)
      .where(isNull(claims.endedAt))
      .orderBy(asc(claims.id))
      .all(),
  )
  if (rows.length === 0) return ''
  const now = nowIso(deps)
  return rows.flatMap(({ id, untilAt }) => (untilAt > now ? [id] : [])).join(' ')
}
