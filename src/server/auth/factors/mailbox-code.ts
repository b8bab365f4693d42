import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { and, desc, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { loginChallenges } from '../../../../db/schema.ts'
import {
  isChallengeOpen,
  mailboxCodeTtlMs,
  newChallenge,
  tryChallenge,
} from '../../../domain/accounts/login-challenge.ts'
import { type Deps, nowIso } from '../../kernel/deps.ts'
import type { InstallationKey } from '../../lib/installation-key.ts'
import type { ChallengeRow } from './challenges.ts'

const kind = 'mailbox'

/** Opens a challenge for a mailed code, which replaces an earlier one. `at` is a UTC ISO timestamp. */
export function openMailboxChallenge(tx: Tx, at: string, userId: string): { id: string; expiresAt: string } {
  tx.delete(loginChallenges).where(isOf(userId)).run()
  const id = randomUUID()
  const { expiresAt } = newChallenge(at, mailboxCodeTtlMs)
  tx.insert(loginChallenges).values({ id, kind, userId, createdAt: at, expiresAt }).run()
  return { id, expiresAt }
}

/** The code of a challenge, for its mail; undefined if the challenge is over or the site's key is damaged. */
export function mailboxCode(deps: Deps, challengeId: string): string | undefined {
  const { db, key } = deps
  const row = findOpen(deps, db, eq(loginChallenges.id, challengeId))
  return row && key.state === 'ready' ? codeOf(key.key, row.id) : undefined
}

/** Counts one try of a code in the caller's transaction, which must be committed; marks a right code as used. */
export function tryMailboxCode(
  deps: Deps,
  tx: Tx,
  userId: string,
  code: string,
): 'passed' | 'wrong' | 'over' {
  const row = findOpen(deps, tx, isOf(userId))
  if (!row || deps.key.state !== 'ready') return 'over'
  const isRight = timingSafeEqual(Buffer.from(code), Buffer.from(codeOf(deps.key.key, row.id)))
  const { challenge, outcome } = tryChallenge(row, { at: nowIso(deps), isRight })
  const { tries, usedAt } = challenge
  tx.update(loginChallenges).set({ tries, usedAt }).where(eq(loginChallenges.id, row.id)).run()
  return outcome
}

const isOf = (userId: string) => and(eq(loginChallenges.userId, userId), eq(loginChallenges.kind, kind))

function findOpen(
  deps: Deps,
  db: Db,
  condition: ReturnType<typeof eq> | undefined,
): ChallengeRow | undefined {
  const isMailbox = and(condition, eq(loginChallenges.kind, kind), isNull(loginChallenges.usedAt))
  const row = db
    .select()
    .from(loginChallenges)
    .where(isMailbox)
    .orderBy(desc(loginChallenges.createdAt))
    .get()
  return row && isChallengeOpen(row, nowIso(deps)) ? row : undefined
}

/** Six digits that only the site's key can tell from the id, so that no code is stored. A repeated mail repeats it. */
function codeOf({ bytes }: InstallationKey, challengeId: string): string {
  const mac = createHmac('sha256', bytes).update(`mailbox code of ${challengeId}`).digest()
  return String(mac.readUIntBE(0, 6) % 1_000_000).padStart(6, '0')
}
