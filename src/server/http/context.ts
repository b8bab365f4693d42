import type { FastifyRequest } from 'fastify'
import type { RequestOrigin } from '../../domain/accounts/access.ts'
import { resolveSession, wasEnded } from '../auth/sessions/sessions.ts'
import type { Context } from '../kernel/context.ts'
import type { Deps } from '../kernel/deps.ts'

export type GetContext = (request: FastifyRequest) => Promise<Context>

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
  return {
    deps,
    requestId: request.id,
    actor: session?.actor ?? { role: 'guest', requestOrigin, ...(hadSession && { hadSession }) },
    sessionId: session?.id,
  }
}
