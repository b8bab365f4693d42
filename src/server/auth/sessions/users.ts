import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import type { UserView } from '../../../domain/accounts/account.ts'
import { emailKey, shownEmail } from '../../../domain/accounts/account-rules.ts'

export type UserRow = typeof users.$inferSelect
export function findUser(db: Db, id: string): UserRow | undefined {
  return db.select().from(users).where(eq(users.id, id)).get()
}

/** Ignores case and surrounding spaces. */
export function findUserByEmail(db: Db, email: string): UserRow | undefined {
  return db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)))
    .get()
}

/**
 * Whether a mailed link or code was ever used in the account. If not, somebody else may have registered the email, and
 * what is handed over by email goes to the mailbox (FIX-27).
 */
export const isMailboxProven = ({ mailboxProvenAt }: Pick<UserRow, 'mailboxProvenAt'>): boolean =>
  mailboxProvenAt !== null

/** Whether anybody can manage the site; if not, /admin/login shows a hint. */
export function adminExists(db: Db): boolean {
  return db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1).get() !== undefined
}

export function anybodyExists(db: Db): boolean {
  return db.select({ id: users.id }).from(users).limit(1).get() !== undefined
}

/** The fields of an account that may leave the server: never the hash. */
export function toUserView({ id, firstName, lastName, email, phone, role, createdAt }: UserRow): UserView {
  return { _id: id, id, firstName, lastName, email: shownEmail(email), phone, role, createdAt }
}
