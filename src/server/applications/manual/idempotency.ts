import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../db/open.ts'
import { entryRequests } from '../../../../db/schema.ts'
import { AppError } from '../../../domain/common/errors.ts'

type Kind = 'entry' | 'import' | 'offer' | 'promise'

/**
 * Like `oncePerRequest` for work in parts.
 * @throws AppError conflict for an id that was used for another operation
 */
export function* oncePerRequestInParts<Result>(
  tx: Tx,
  at: string,
  kind: Kind,
  requestId: string | undefined,
  work: () => Generator<void, Result>,
): Generator<void, Result> {
  const known = knownAnswer<Result>(tx, kind, requestId)
  if (known) return known.answer
  const answer = yield* work()
  storeAnswer(tx, at, kind, requestId, answer)
  return answer
}

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
  const known = knownAnswer<Result>(tx, kind, requestId)
  if (known) return known.answer
  const answer = work()
  storeAnswer(tx, at, kind, requestId, answer)
  return answer
}

function knownAnswer<Result>(
  tx: Tx,
  kind: Kind,
  requestId: string | undefined,
): { answer: Result } | undefined {
  if (requestId === undefined) return undefined
  const known = tx.select().from(entryRequests).where(eq(entryRequests.requestId, requestId)).get()
  if (!known) return undefined
  const stored = known.answer as { kind: Kind; answer: Result }
  if (stored.kind !== kind)
    throw new AppError('conflict', 'This form has already been sent. Please open it again.')
  return stored
}

function storeAnswer(tx: Tx, at: string, kind: Kind, requestId: string | undefined, answer: unknown): void {
  if (requestId !== undefined)
    tx.insert(entryRequests).values({ requestId, answer: { kind, answer }, at }).run()
}
