import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, claims, claimTerms } from '../../../db/schema.ts'
import { type ClaimKind, type ClaimState, endOfDay, keepingStates } from '../../domain/bookings/claim.ts'
import type { DateRange } from '../../domain/common/dates.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

type DayDeps = Pick<Deps, 'clock' | 'config'>
export type ClaimRow = typeof claims.$inferSelect
/** Nights that are kept for somebody. */
export type Claim = DateRange & {
  id: string
  kind: ClaimKind
  state: ClaimState
  /** The booking that it comes from. */
  applicationId: string | null
  /** The account of its person; null if it went to an email alone. */
  userId: string | null
  emailKey: string
  /** Whom the owner reads of: a person, or the number of an addendum's booking. */
  who: string
  untilAt: string
  /** Whether platforms may sell promised nights. */
  isOpenToPlatforms: boolean
}

/** Claims that have nights unless their deadline has passed. */
export const isKeeping = and(isNull(claims.endedAt), inArray(claims.state, [...keepingStates]))

/** The pending applications of others that share a night with it, longest waiting first. */
export function pendingOverlaps(db: Db, range: DateRange, userId: string | null) {
  return db
    .select()
    .from(applications)
    .where(
      and(
        eq(applications.status, 'pending'),
        isNull(applications.deletedAt),
        isNotNull(applications.submittedAt),
        gt(applications.stayEndDate, range.start),
        lt(applications.stayStartDate, range.end),
        userId === null ? undefined : ne(applications.userId, userId),
      ),
    )
    .orderBy(asc(applications.submittedAt), asc(applications.id))
    .all()
}

/**
 * A claim as it is at this moment: once the answer time is over, a promise that nobody asks for any more is open again
 * until its own date (CLAIM-32).
 */
export function atPresent<Row extends ClaimRow>({ clock, config }: DayDeps, db: Db, row: Row): Row {
  const { endDate: end, lastDate, startDate: start, untilAt } = row
  if (row.state !== 'asked' || row.endedAt !== null || untilAt > nowIso({ clock })) return row
  if (row.askedByOwner || lastDate === null || pendingOverlaps(db, { start, end }, row.userId).length > 0)
    return row
  return { ...row, state: 'open', untilAt: endOfDay(lastDate, config.site.timeZone) }
}

/** Whether it keeps its nights: until the moment of its clock, which is outside (CLAIM-02). */
export const isLive = (now: string, { endedAt, state, untilAt }: ClaimRow): boolean =>
  endedAt === null && untilAt > now && (keepingStates as readonly ClaimState[]).includes(state)

/** The live claims that share a night with the half-open range, by their first night. */
export function claimsWithin(deps: DayDeps, db: Db, range: DateRange): Claim[] {
  const now = nowIso(deps)
  return db
    .select({
      row: claims,
      number: applications.number,
      userId: applications.userId,
      platforms: claimTerms.platforms,
    })
    .from(claims)
    .leftJoin(applications, eq(applications.id, claims.applicationId))
    .leftJoin(claimTerms, eq(claimTerms.claimId, claims.id))
    .where(and(isKeeping, gt(claims.endDate, range.start), lt(claims.startDate, range.end)))
    .orderBy(asc(claims.startDate), asc(claims.id))
    .all()
    .flatMap(({ number, platforms, userId, ...found }) => {
      const row = atPresent(deps, db, found.row)
      if (!isLive(now, row)) return []
      const { applicationId, emailKey, endDate: end, id, kind, startDate: start, state, untilAt } = row
      const who = kind === 'addendum' ? (number ?? '') : nameOf(row)
      const isOpenToPlatforms = platforms === 'open'
      const person = { applicationId, userId: row.userId ?? userId, emailKey, who }
      return [{ id, kind, state, start, end, untilAt, isOpenToPlatforms, ...person }]
    })
}

export const nameOf = ({ firstName, lastName }: Pick<ClaimRow, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`

/** The claims that have nights and whose deadline has passed. */
export const overClaims = (db: Db, now: string): ClaimRow[] =>
  db
    .select()
    .from(claims)
    .where(and(isKeeping, lte(claims.untilAt, now)))
    .all()

/** A cache key that names the live claims, so that an entry also expires when a claim's deadline passes. */
export function liveClaimsKey(deps: Deps): string {
  const rows = cachedUntilWrite(deps, 'claims not ended', () =>
    deps.db.select().from(claims).where(isKeeping).orderBy(asc(claims.id)).all(),
  )
  if (rows.length === 0) return ''
  const now = nowIso(deps)
  return rows.flatMap(row => (isLive(now, atPresent(deps, deps.db, row)) ? [row.id] : [])).join(' ')
}
