import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { users } from '../../../../../db/schema.ts'
import { emailKey } from '../../../../domain/accounts/account-rules.ts'

/** Changes the contact e-mail of a person's applications that have the former one. Implemented by applications. */
export type MoveContactEmail = (
  tx: Tx,
  at: string,
  userId: string,
  change: { from: string; to: string },
) => void

/** Writes an account's e-mail. The caller must check that nobody else has it. */
export function setEmail(tx: Tx, at: string, userId: string, email: string): void {
  tx.update(users)
    .set({ email, emailKey: emailKey(email), updatedAt: at })
    .where(eq(users.id, userId))
    .run()
}
