import { eq } from 'drizzle-orm'
import type { Tx } from '../../../db/open.ts'
import { entryRequests } from '../../../db/schema.ts'
import { AppError } from '../../domain/errors.ts'

type Kind = 'entry' | 'import'

/**
 * Runs `work` once for each `requestId`; repeating an id returns the first response.
 * @throws AppError conflict for an id that was used for another operation
 */
export function oncePerRequest<Result>(
  tx: Tx,
  at: string,
  kind: Kind,
  requestId: string | undefined,
  work: () => Result,
): Result {
  if (requestId === undefined) return work()
  const known = tx.select().from(entryRequests).where(eq(entryRequests.requestId, requestId)).get()
  if (known) {
    const stored = known.answer as { kind: Kind; answer: Result }
    if (stored.kind !== kind)
      throw new AppError('conflict', 'This form has already been sent. Please open it again.')
    return stored.answer
  }
  const answer = work()
  tx.insert(entryRequests).values({ requestId, answer: { kind, answer }, at }).run()
  return answer
}
