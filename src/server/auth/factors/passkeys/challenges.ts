import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import type { Tx } from '../../../../../db/open.ts'
import { loginChallenges } from '../../../../../db/schema.ts'
import { isChallengeOpen, newChallenge } from '../../../../domain/accounts/login-challenge.ts'
import { newToken, sha256 } from '../../../lib/sha256.ts'

const kinds = ['passkey_setup', 'passkey_use'] as const
/** What a challenge is for: creating a passkey for a person, or using a passkey of a person who is not known yet. */
type Purpose = { kind: 'passkey_setup'; userId: string } | { kind: 'passkey_use' }

/**
 * Creates a challenge for a passkey to sign, in base64url, which works once and within five minutes. Only its hash is
 * stored. `at` is a UTC ISO timestamp.
 */
export function openPasskeyChallenge(tx: Tx, purpose: Purpose, at: string): string {
  // Anybody can request challenges, so expired ones are deleted right away.
  tx.delete(loginChallenges)
    .where(and(inArray(loginChallenges.kind, kinds), lte(loginChallenges.expiresAt, at)))
    .run()
  const challenge = newToken()
  const { expiresAt } = newChallenge(at)
  tx.insert(loginChallenges)
    .values({ id: sha256(challenge), ...purpose, createdAt: at, expiresAt })
    .run()
  return challenge
}

/** Marks a challenge as used; false if it is unknown, used, expired, another person's or for another purpose. */
export function consumePasskeyChallenge(tx: Tx, challenge: string, purpose: Purpose, at: string): boolean {
  const isIt = and(
    eq(loginChallenges.id, sha256(challenge)),
    eq(loginChallenges.kind, purpose.kind),
    'userId' in purpose ? eq(loginChallenges.userId, purpose.userId) : isNull(loginChallenges.userId),
  )
  const row = tx.select().from(loginChallenges).where(isIt).get()
  if (!row || !isChallengeOpen(row, at)) return false
  tx.update(loginChallenges).set({ usedAt: at }).where(isIt).run()
  return true
}
