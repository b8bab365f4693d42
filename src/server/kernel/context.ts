import type { Actor } from '../../domain/access.ts'
import type { Deps } from './deps.ts'

/** What a procedure knows: the deps, who asks, and the session that proves it. */
export type Context = {
  deps: Deps
  actor: Actor
  /** SHA-256 of the bearer token, where a live session belongs to it. */
  sessionId: string | undefined
  requestId: string
  /** Of a batch: resolves when the next of its calls may begin. */
  waitForTurn?: (() => Promise<void>) | undefined
}
