import { and, eq, gt, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../../../db/open.ts'
import { emailChanges, userFactors, users } from '../../../../../db/schema.ts'
import { emailKey } from '../../../../domain/accounts/account-rules.ts'
import {
  cancelEmailChange,
  type EmailChange,
  emailChangeState,
  reservedEmailKeys,
} from '../../../../domain/accounts/email-change.ts'
import { cancelUnsentMail } from '../../../mail/outbox.ts'
import { type AccessLink, revokeLinks } from '../../sessions/access-links.ts'
import { findUserByEmail } from '../../sessions/users.ts'

export type EmailChangeRow = typeof emailChanges.$inferSelect
export const emailTakenMessage = 'Another account already uses this email address.'
export const emailLinkKey = (linkId: string) => `email-change:${linkId}`

/** All email changes of a person, oldest first. */
export function emailChangesOf(db: Db, userId: string): EmailChangeRow[] {
  return db.select().from(emailChanges).where(eq(emailChanges.userId, userId)).orderBy(sql`rowid`).all()
}

/** The pending email change of a person; there is at most one (SAFE-29). */
export function pendingEmailChange(db: Db, at: string, userId: string): EmailChangeRow | undefined {
  return emailChangesOf(db, userId).find(
    change => emailChangeState(change, at) === 'waiting' && !isSupersededByFactor(db, at, change),
  )
}

/** Stores a change as the domain returned it. */
export function saveEmailChange(tx: Tx, id: string, change: EmailChange): void {
  const { cancelledAt, confirmedNewAt, confirmedOldAt, doneAt, undoUntil } = change
  tx.update(emailChanges)
    .set({ cancelledAt, confirmedNewAt, confirmedOldAt, doneAt, undoUntil })
    .where(eq(emailChanges.id, id))
    .run()
}

/** Cancels the person's pending change and its links (SAFE-29). */
export function cancelPendingEmailChange(tx: Tx, at: string, userId: string): void {
  for (const change of emailChangesOf(tx, userId)) {
    const canceled = cancelEmailChange(change, at)
    if (canceled === change) continue
    saveEmailChange(tx, change.id, canceled)
    endEmailLinks(tx, at, change.id, 'email_old', 'email_new')
  }
}

/** Ends every change of an account that is closed: none is pending, and none can be undone. */
export function endEmailChanges(tx: Tx, at: string, userId: string): void {
  cancelPendingEmailChange(tx, at, userId)
  for (const change of emailChangesOf(tx, userId)) {
    saveEmailChange(tx, change.id, { ...change, undoUntil: null })
    endEmailLinks(tx, at, change.id, 'email_undo')
  }
}

/** Revokes links of a change and withdraws their unsent mails. */
export function endEmailLinks(
  tx: Tx,
  at: string,
  changeId: string,
  ...kinds: Extract<AccessLink['kind'], `email_${string}`>[]
): void {
  for (const kind of kinds)
    for (const id of revokeLinks(tx, at, kind, { subjectId: changeId }))
      cancelUnsentMail(tx, emailLinkKey(id))
}

/**
 * Whether the email is unavailable: another account has it, or another person can still return to it by undoing a
 * change (SAFE-28).
 */
export function isEmailTaken(db: Db, at: string, email: string, excludeUserId?: string): boolean {
  const user = findUserByEmail(db, email)
  if (user && user.id !== excludeUserId) return true
  const others = excludeUserId === undefined ? undefined : ne(emailChanges.userId, excludeUserId)
  const undoable = db
    .select()
    .from(emailChanges)
    .where(and(gt(emailChanges.undoUntil, at), others))
    .all()
  return reservedEmailKeys(undoable, at).has(emailKey(email))
}

/** Whether this is the former email of an administrator. */
export function wasAdminsEmail(db: Db, email: string): boolean {
  const isDone = and(
    isNotNull(emailChanges.doneAt),
    isNull(emailChanges.cancelledAt),
    eq(users.role, 'admin'),
  )
  return db
    .select({ oldEmail: emailChanges.oldEmail })
    .from(emailChanges)
    .innerJoin(users, eq(users.id, emailChanges.userId))
    .where(isDone)
    .all()
    .some(({ oldEmail }) => emailKey(oldEmail) === emailKey(email))
}

/**
 * A change that was requested with only the password becomes void when the account gets a second factor. A factor that
 * was added while the clock was ahead counts as older: it would void every change until that time.
 */
function isSupersededByFactor(db: Db, at: string, { createdAt, userId }: EmailChangeRow): boolean {
  const confirmed = db
    .select({ confirmedAt: userFactors.confirmedAt })
    .from(userFactors)
    .where(and(eq(userFactors.userId, userId), isNotNull(userFactors.confirmedAt)))
    .all()
  return (
    confirmed.length > 0 &&
    !confirmed.some(
      ({ confirmedAt }) => confirmedAt !== null && (confirmedAt <= createdAt || at < confirmedAt),
    )
  )
}
