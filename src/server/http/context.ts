import type { FastifyRequest } from 'fastify'
import type { RequestOrigin } from '../../domain/accounts/access.ts'
import { resolveSession, wasEnded } from '../auth/sessions/sessions.ts'
import type { Context } from '../kernel/context.ts'
import type { Deps } from '../kernel/deps.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { createKeyedLock } from '../lib/keyed-lock.ts'
import { callerKey } from './read-places.ts'

export type GetContext = (request: FastifyRequest) => Promise<Context>

/**
 * A client can send hundreds of requests at once. Each call starts in a turn of the event loop of its own, among those
 * of the same caller, so that other requests run in between. A body is parsed in the turn of its first call: parsed, it
 * can take 20 times the memory, and must not wait in it behind hundreds of others.
 */
const turns = createKeyedLock()

/** Returns a request's context, and authenticates the caller once per request. */
export function createContextProvider(deps: Deps): GetContext {
  const contexts = new WeakMap<FastifyRequest, Promise<Context>>()
  return request => {
    const known = contexts.get(request)
    if (known) return known
    const made = createContext(deps, request)
    contexts.set(request, made)
    return made
  }
}

async function createContext(deps: Deps, request: FastifyRequest): Promise<Context> {
  const requestOrigin: RequestOrigin = {
    address: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
  }
  const token = /^Bearer ([\w-]{20,200})$/.exec(request.headers.authorization ?? '')?.[1]
  const session = token === undefined ? undefined : await resolveSession(deps, token, requestOrigin)
  const hadSession = token !== undefined && !session && wasEnded(deps.db, token)
  const actor = session?.actor ?? { role: 'guest', requestOrigin, ...(hadSession && { hadSession }) }
  const key = callerKey(actor)
  const booked: Promise<void>[] = []
  return {
    deps,
    requestId: request.id,
    actor,
    sessionId: session?.id,
    async bookTurns(count) {
      for (let n = 0; n < count; n++) booked.push(turns(key, yieldToEventLoop))
      await booked[0]
    },
    waitForTurn: () => booked.shift() ?? turns(key, yieldToEventLoop),
  }
}
