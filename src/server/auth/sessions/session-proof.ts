import { and, eq, isNull } from 'drizzle-orm'
import type { Db, Tx } from '../../../../db/open.ts'
import { sessions } from '../../../../db/schema.ts'
import { afterWrongStepUp, type SessionProof } from '../../../domain/accounts/step-up.ts'
import { endSessionWithNotice } from './sessions.ts'

const isActiveSession = (sessionId: string) => and(eq(sessions.id, sessionId), isNull(sessions.endedAt))

/** What a session has proven; undefined if the session is unknown or has ended. */
export function findProof(db: Db, sessionId: string | undefined): SessionProof | undefined {
  if (sessionId === undefined) return undefined
  return db
    .select({ factorAt: sessions.factorAt, stepUpAt: sessions.stepUpAt })
    .from(sessions)
    .where(isActiveSession(sessionId))
    .get()
}

/** Stores a correct proof of a session, which resets the count of wrong ones. */
export function storeProof(tx: Tx, sessionId: string, { factorAt, stepUpAt }: SessionProof): void {
  tx.update(sessions).set({ factorAt, stepUpAt, stepUpTries: 0 }).where(isActiveSession(sessionId)).run()
}

/** Counts a wrong proof of a session; the fifth one ends it (SAFE-19). Returns whether the session has ended. */
export function countWrongProof(tx: Tx, at: string, sessionId: string): boolean {
  const session = tx
    .select({ tries: sessions.stepUpTries })
    .from(sessions)
    .where(isActiveSession(sessionId))
    .get()
  if (!session) return true
  const { endsSession, tries } = afterWrongStepUp(session.tries)
  tx.update(sessions).set({ stepUpTries: tries }).where(isActiveSession(sessionId)).run()
  if (endsSession) endSessionWithNotice(tx, at, sessionId)
  return endsSession
}

/**
 * Voids the proofs by factor of a person's sessions when a factor is added: a thief may have added a factor, proved a
 * session by it and removed it again.
 */
export function voidFactorProofs(tx: Tx, userId: string): void {
  tx.update(sessions).set({ factorAt: null }).where(eq(sessions.userId, userId)).run()
}
