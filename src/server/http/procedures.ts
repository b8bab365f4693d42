import { resolveResponse } from '@trpc/server/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { rootRouter } from '../root-router.ts'
import { describeError } from '../trpc.ts'
import type { ContextOf } from './context.ts'

const maxBatch = 10

/**
 * Mounts all procedures as the browser calls them. Not with the adapter that tRPC has for Fastify: that one answers
 * with streams, which nobody could keep or compare, and brings parsers of its own.
 */
export function mountProcedures(app: FastifyInstance, deps: Deps, contextOf: ContextOf): void {
  app.all<{ Params: { path: string } }>('/trpc/:path', async (request, reply) => {
    const response = await resolveResponse({
      req: asWebRequest(request),
      path: request.params.path,
      router: rootRouter,
      createContext: () => contextOf(request),
      allowBatching: true,
      maxBatchSize: maxBatch,
      error: null,
      onError({ error }) {
        if (!describeError(error).expected)
          deps.log.error({ err: error.cause ?? error, requestId: request.id }, 'request failed')
      },
      responseMeta({ errors }) {
        const waits = errors.map(error => describeError(error).retryAfterSeconds ?? 0)
        const seconds = Math.max(0, ...waits)
        return seconds > 0 ? { headers: { 'retry-after': String(seconds) } } : {}
      },
    })
    return reply
      .status(response.status)
      .headers(Object.fromEntries(response.headers))
      .send(await response.text())
  })
}

/** The part of a request that tRPC reads; its JSON has been parsed already. */
function asWebRequest({ method, url, body }: FastifyRequest): Request {
  const address = new URL(url, 'http://localhost')
  if (method === 'GET' || method === 'HEAD' || body === undefined) return new Request(address, { method })
  const request = new Request(address, { method, headers: { 'content-type': 'application/json' } })
  return Object.assign(request, { json: async () => body })
}
