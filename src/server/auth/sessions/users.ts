import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import type { UserView } from '../../../domain/accounts/account.ts'
import { emailKey } from '../../../domain/accounts/account-rules.ts'

export type UserRow = typeof users.$inferSelect
type ReadDb = Pick<Db, 'select'>

export function findUser(db: ReadDb, id: string): UserRow | undefined {
  return db.select().from(users).where(eq(users.id, id)).get()
}

/** Ignores case and surrounding spaces. */
export function findUserByEmail(db: ReadDb, email: string): UserRow | undefined {
  return db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)))
    .get()
}

/**
 * Whether a mailed link or code was ever used in the account. If not, somebody else may have registered the e-mail, and
 * what is handed over by e-mail goes to the mailbox (FIX-27).
 */
export const isMailboxProven = ({ mailboxProvenAt }: Pick<UserRow, 'mailboxProvenAt'>): boolean =>
  mailboxProvenAt !== null

/** Whether anybody can manage the site; if not, /admin/login shows a hint. */
export function adminExists(db: ReadDb): boolean {
  return db.select({ id: users.id }).from(users).where(eq(users.role, 'admin')).limit(1).get() !== undefined
}

export function anybodyExists(db: ReadDb): boolean {
  return db.select({ id: users.id }).from(users).limit(1).get() !== undefined
}

/** The fields of an account that may leave the server: never the hash. */
export function toUserView({ id, firstName, lastName, email, phone, role, createdAt }: UserRow): UserView {
  return { _id: id, id, firstName, lastName, email, phone, role, createdAt }
}
