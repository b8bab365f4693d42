import { and, eq, isNull } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { applications, claims, users } from '../../../../../db/schema.ts'
import { emailKey } from '../../../../domain/accounts/account-rules.ts'
import { redirectUnsentMails } from '../../../mail/outbox.ts'
import { createLink, revokeLinks } from '../../sessions/access-links.ts'
import { findUser } from '../../sessions/users.ts'

/**
 * Writes an account's email, and ends the person's own links to sign, to answer offers and to write a review, which were
 * mailed to the former address (SIGNER-20, CLAIM-16, REVIEW-05). Later mails about the same things have new links. Other
 * unsent mails go to the new address. The caller must check that nobody else has it.
 */
export function setEmail(tx: Tx, at: string, userId: string, email: string): void {
  const former = findUser(tx, userId)?.email
  if (former) redirectUnsentMails(tx, userId, former, email)
  tx.update(users)
    .set({ email, emailKey: emailKey(email), updatedAt: at })
    .where(eq(users.id, userId))
    .run()
  for (const kind of ['sign', 'offer', 'review'] as const) revokeLinks(tx, at, kind, { personId: userId })
  // Sent to an email alone, and then accepted by this person.
  const accepted = tx
    .select({ id: claims.id })
    .from(claims)
    .innerJoin(applications, eq(applications.id, claims.acceptedApplicationId))
    .where(eq(applications.userId, userId))
    .all()
  for (const { id } of accepted) revokeLinks(tx, at, 'offer', { subjectId: id })
  const isKept = and(eq(claims.userId, userId), isNull(claims.endedAt))
  for (const { id } of tx.select({ id: claims.id }).from(claims).where(isKept).all())
    createLink(tx, at, { kind: 'offer', subjectId: id, personId: userId })
}

/** Updates the contact email of applications that still have the account's former email. */
export function correctContactEmail(
  tx: Tx,
  at: string,
  userId: string,
  { from, to }: { from: string; to: string },
): void {
  const rows = tx
    .select({ id: applications.id, email: applications.email })
    .from(applications)
    .where(and(eq(applications.userId, userId), isNull(applications.deletedAt)))
    .all()
  for (const { id, email } of rows)
    if (emailKey(email) === emailKey(from))
      tx.update(applications).set({ email: to, updatedAt: at }).where(eq(applications.id, id)).run()
}
