import { and, count, eq, inArray, isNotNull, isNull, max } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { applications, events, leases, payments } from '../../../../db/schema.ts'
import type { AccountHistory } from '../../../domain/accounts/account.ts'
import type { UserRow } from '../sessions/users.ts'

const eventKinds = {
  lastLoginAt: 'account.logged_in',
  profileChangedAt: 'account.profile_changed',
  passwordChangedAt: 'account.password_changed',
} as const

/** Summarizes what was done in the account so far. */
export function accountHistory(db: Db, { id, createdAt }: UserRow): AccountHistory {
  const last = db
    .select({ kind: events.kind, at: max(events.at) })
    .from(events)
    .where(and(eq(events.subjectId, id), inArray(events.kind, Object.values(eventKinds))))
    .groupBy(events.kind)
    .all()
  const lastOf = (kind: string) => last.find(row => row.kind === kind)?.at ?? null
  const applied = db
    .select({ number: applications.number, signedAt: leases.signedAt })
    .from(applications)
    .leftJoin(leases, and(eq(leases.applicationId, applications.id), isNull(leases.voidedAt)))
    .where(and(eq(applications.userId, id), isNull(applications.deletedAt)))
    .orderBy(applications.createdAt)
    .all()
  const paid = db
    .select({ rows: count() })
    .from(payments)
    .where(
      and(
        eq(payments.userId, id),
        isNull(payments.voidedAt),
        isNotNull(payments.paidAt),
        inArray(payments.method, ['card', 'manual']),
      ),
    )
    .get()
  return {
    createdAt,
    lastLoginAt: lastOf(eventKinds.lastLoginAt),
    profileChangedAt: lastOf(eventKinds.profileChangedAt),
    passwordChangedAt: lastOf(eventKinds.passwordChangedAt),
    applicationNumbers: applied.map(({ number }) => number),
    signedLeases: applied.filter(({ signedAt }) => signedAt !== null).length,
    payments: paid?.rows ?? 0,
  }
}
