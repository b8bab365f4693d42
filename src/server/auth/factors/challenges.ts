import { and, eq, isNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { loginChallenges, userFactors } from '../../../../db/schema.ts'
import { enrollmentTtlMs } from '../../../domain/accounts/factor.ts'
import { newChallenge } from '../../../domain/accounts/login-challenge.ts'
import type { Deps } from '../../kernel/deps.ts'
import { newToken, sha256 } from '../../lib/sha256.ts'

export type ChallengeRow = typeof loginChallenges.$inferSelect

/** Opens the second step of a login, in the transaction of the right password. Only the token's hash is stored. */
export function openChallenge(tx: Tx, at: string, userId: string): string {
  const token = newToken()
  tx.insert(loginChallenges)
    .values({ id: sha256(token), kind: 'second_step', userId, createdAt: at, ...newChallenge(at) })
    .run()
  return token
}

/** The challenge of a login's second step, in any state. Ignores challenges of passkeys. */
export function findChallenge(tx: Tx, token: string): ChallengeRow | undefined {
  return tx
    .select()
    .from(loginChallenges)
    .where(and(eq(loginChallenges.id, sha256(token)), eq(loginChallenges.kind, 'second_step')))
    .get()
}

/** Ends a person's logins in progress, when their password or email is replaced. */
export function endChallengesOf(tx: Tx, at: string, userId: string): void {
  tx.update(loginChallenges)
    .set({ usedAt: at })
    .where(and(eq(loginChallenges.userId, userId), isNull(loginChallenges.usedAt)))
    .run()
}

/** Deletes expired challenges and setups, at startup and daily. */
export async function sweepFactors({ clock, write }: Deps): Promise<void> {
  const now = clock.now()
  const lastOpenSetup = new Date(now.getTime() - enrollmentTtlMs).toISOString()
  await write(tx => {
    tx.delete(loginChallenges).where(lte(loginChallenges.expiresAt, now.toISOString())).run()
    tx.delete(userFactors)
      .where(and(isNull(userFactors.confirmedAt), lte(userFactors.createdAt, lastOpenSetup)))
      .run()
  })
}
