import type { Actor } from '../../domain/accounts/access.ts'
import type { Deps } from './deps.ts'

/** The context of a procedure call. */
export type Context = {
  deps: Deps
  actor: Actor
  /** SHA-256 of the bearer token of a live session. */
  sessionId: string | undefined
  requestId: string
  /** Over the network: resolves when the next call may start. */
  waitForTurn?: (() => Promise<void>) | undefined
  /** Over the network: books the turns of the request's next calls, and resolves at the first. */
  bookTurns?: ((count: number) => Promise<void>) | undefined
}
