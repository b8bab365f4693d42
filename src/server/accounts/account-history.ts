import { and, count, eq, inArray, isNotNull, isNull, max, or } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { applications, events, leases, payments } from '../../../db/schema.ts'
import type { AccountHistory } from '../../domain/account.ts'
import type { UserRow } from '../sessions/users.ts'

const eventKinds = {
  lastLoginAt: 'account.logged_in',
  profileChangedAt: 'account.profile_changed',
  passwordChangedAt: 'account.password_changed',
} as const

/** Summarizes what was done in the account so far. */
export function accountHistory(db: Pick<Db, 'select'>, { id, createdAt }: UserRow): AccountHistory {
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

/**
 * Whether the owner of the mailbox has ever acted in the account: anybody can register with another person's address.
 * Always true for an administrator, whose address comes from the operator of the server.
 */
export function isMailboxProven(db: Pick<Db, 'select'>, { id, role }: UserRow): boolean {
  if (role === 'admin') return true
  const byLink = or(
    inArray(events.kind, ['account.invitation_accepted', 'account.email_changed']),
    // Somebody who was not logged in can only set a password by a mailed link.
    and(eq(events.kind, 'account.password_changed'), eq(events.actorRole, 'guest')),
  )
  const proof = and(eq(events.subjectId, id), byLink)
  return db.select({ id: events.id }).from(events).where(proof).limit(1).get() !== undefined
}
