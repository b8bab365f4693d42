import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { sessions } from '../../../db/schema.ts'
import { safetyAnswers } from '../../domain/accounts/account-safety-messages.ts'
import { AppError } from '../../domain/common/errors.ts'
import type { Deps } from './deps.ts'

/**
 * The deps for one request of a session. The first `write` fails if the session has ended since the request started.
 * Later writes do not check again, so that no command stops halfway.
 * @throws AppError unauthorized, from the first `write`
 */
export function sessionDeps(deps: Deps, sessionId: string | undefined): Deps {
  if (sessionId === undefined) return deps
  let hasWritten = false
  const check = (tx: Tx) => {
    if (!hasWritten) requireSession(tx, sessionId)
    hasWritten = true
  }
  // Spreading would replace the getters of `mail` and `provider` by their current values.
  const live = Object.defineProperties({}, Object.getOwnPropertyDescriptors(deps)) as Deps
  return Object.assign(live, {
    write: <T>(work: (tx: Tx) => T) =>
      deps.write(tx => {
        check(tx)
        return work(tx)
      }),
    writeInParts: <T>(parts: (tx: Tx) => Generator<void, T>) =>
      deps.writeInParts(tx => {
        check(tx)
        return parts(tx)
      }),
  })
}

function requireSession(tx: Tx, id: string): void {
  const row = tx.select({ endedAt: sessions.endedAt }).from(sessions).where(eq(sessions.id, id)).get()
  if (!row) throw new AppError('unauthorized', 'Please log in to continue.')
  if (row.endedAt !== null) throw new AppError('unauthorized', safetyAnswers.sessionEnded)
}
