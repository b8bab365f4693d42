import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { users } from '../../../../db/schema.ts'
import { emailKey } from '../../../domain/account-rules.ts'

/** Writes the contact e-mail of a person's applications that have the former one; what applications belong to passes it. */
export type MoveContactEmail = (
  tx: Tx,
  at: string,
  userId: string,
  change: { from: string; to: string },
) => void

/** Writes an account's e-mail. Whether nobody else has it is the caller's to check. */
export function setEmail(tx: Tx, at: string, userId: string, email: string): void {
  tx.update(users)
    .set({ email, emailKey: emailKey(email), updatedAt: at })
    .where(eq(users.id, userId))
    .run()
}
