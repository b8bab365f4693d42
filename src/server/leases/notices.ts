import { and, asc, eq, gte, sql } from 'drizzle-orm'
import { applications, events, isBookedRow, leases } from '../../../db/schema.ts'
import { dayMs } from '../../domain/common/durations.ts'
import { formatCents } from '../../domain/common/money.ts'
import { isLeaseInForce } from '../bookings/records.ts'
import { todayAt } from '../kernel/deps.ts'
import { type NoticeCheck, openApplication } from '../kernel/notice.ts'
import { sha256 as sha256Of } from '../lib/sha256.ts'

/** The leases of current and future stays; the `verify` command checks all leases. */
export const changedLeaseTexts: NoticeCheck = ({ db, config, clock }) => {
  const { id, number, stayEndDate } = applications
  const today = todayAt({ clock, config })
  return db
    .select({ id, number, text: leases.text, sha256: leases.textSha256 })
    .from(applications)
    .innerJoin(leases, isLeaseInForce)
    .where(and(isBookedRow, gte(stayEndDate, today)))
    .all()
    .filter(lease => sha256Of(lease.text) !== lease.sha256)
    .map(({ id, number }) => ({
      id: `lease-${id}`,
      title: `The lease text of ${number} is not as it was generated`,
      detail:
        'It is neither shown nor signed any more. Restore it from a backup; while it is unsigned, the lease can be generated again.',
      action: openApplication(id),
    }))
}

const newTotalDays = 14

/**
 * Leases whose total a tenant's edit changed after they were generated, such as with fees per guest. A signature does not
 * hide the notice, because it can follow at once.
 */
export const changedLeaseTotals: NoticeCheck = ({ db, clock }) => {
  const since = new Date(clock.now().getTime() - newTotalDays * dayMs).toISOString()
  const { id, number } = applications
  const lastGenerated = sql`(select coalesce(max(generated.id), 0) from events generated where generated.subject_id = ${id} and generated.kind = 'lease.generated')`
  const edits = db
    .select({ id, number, at: events.at, detail: events.detail })
    .from(events)
    .innerJoin(applications, and(eq(id, events.subjectId), isBookedRow))
    .innerJoin(leases, isLeaseInForce)
    .where(
      and(
        gte(events.at, since),
        eq(events.kind, 'application.updated'),
        sql`json_extract(${events.detail}, '$.totalBeforeCents') is not null`,
        sql`${events.id} > ${lastGenerated}`,
      ),
    )
    .orderBy(asc(events.id))
    .all()
  return [...Map.groupBy(edits, ({ id }) => id).values()].flatMap(ofOne => {
    const [first, last] = [ofOne[0], ofOne.at(-1)]
    // Later charges of the owner are not part of the edit.
    const totalCents = Number(last?.detail.totalCents)
    if (!first || first.detail.totalBeforeCents === totalCents) return []
    const { at, detail, id, number } = first
    return [
      {
        id: `lease-total-${id}`,
        tone: 'warning' as const,
        title: `The tenant’s edit changed what ${number} owes`,
        detail: `It was ${formatCents(Number(detail.totalBeforeCents))} when the lease was generated and was ${formatCents(totalCents)} after the edit. Compare the guests with the booking; until it is signed, the lease can be generated again.`,
        at,
        action: openApplication(id),
      },
    ]
  })
}
