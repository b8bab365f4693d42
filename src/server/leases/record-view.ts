import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { type EventDetail, events } from '../../../db/schema.ts'
import type { SignedIn } from '../../domain/accounts/access.ts'
import { recordEvent } from '../kernel/audit.ts'
import { type Deps, nowIso } from '../kernel/deps.ts'

const dedupeWindowMs = 10 * 60_000

/**
 * Records a lease view, at most once in ten minutes per user, IP address and document, and at most 50 a day per tenant,
 * which limits the audit log. Failures are only logged.
 */
export async function recordLeaseView(
  deps: Deps,
  actor: SignedIn,
  kind: 'lease.viewed' | 'lease.downloaded' | 'lease.signed_viewed' | 'lease.addendum_viewed',
  applicationId: string,
  detail: EventDetail,
): Promise<void> {
  const since = new Date(deps.clock.now().getTime() - dedupeWindowMs).toISOString()
  const isRepeat = and(
    eq(events.subjectId, applicationId),
    eq(events.kind, kind),
    eq(events.actorId, actor.userId),
    sql`${events.address} is ${actor.requestOrigin.address}`,
    gte(events.at, since),
  )
  const isKnown = (db: Db) => {
    const last = db
      .select({ detail: events.detail })
      .from(events)
      .where(isRepeat)
      .orderBy(desc(events.id))
      .get()
    return last !== undefined && JSON.stringify(last.detail) === JSON.stringify(detail)
  }
  if (isKnown(deps.db)) return
  const isOverLimit =
    actor.role === 'tenant' && (await deps.limits.count('leaseViewByTenantAndDay', actor.userId)) > 0
  // The first view of a new text is always recorded, because uploading its scan requires it.
  if (isOverLimit && lastReadSha256(deps.db, actor.userId, applicationId) === detail.leaseTextSha256) return
  await deps
    .write(tx => {
      if (!isKnown(tx)) recordEvent(tx, nowIso(deps), actor, kind, applicationId, detail)
    })
    .catch(error => deps.log.error({ err: error, applicationId }, 'a view of a lease was not recorded'))
}

/** The hash of the lease's text that a person has opened or downloaded last; undefined if none is recorded. */
export function lastReadSha256(db: Db, userId: string, applicationId: string): string | undefined {
  const isRead = and(
    eq(events.subjectId, applicationId),
    eq(events.actorId, userId),
    inArray(events.kind, ['lease.viewed', 'lease.downloaded']),
  )
  const last = db.select({ detail: events.detail }).from(events).where(isRead).orderBy(desc(events.id)).get()
  // Earlier versions recorded views without it.
  const sha256 = last?.detail.leaseTextSha256
  return typeof sha256 === 'string' ? sha256 : undefined
}
