import { resolveResponse } from '@trpc/server/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/common/errors.ts'
import { isLargeCall, isLongAnswer } from '../../domain/common/large-calls.ts'
import type { Deps } from '../kernel/deps.ts'
import { describeError } from '../kernel/trpc.ts'
import { rootRouter } from '../root-router.ts'
import { callsOf } from './calls-of.ts'
import type { GetContext } from './context.ts'

export const maxBatch = 10

/**
 * Mounts all procedures for the browser. Does not use tRPC's Fastify adapter: it sends streams, which the response
 * cache can neither store nor compare, and installs its own parsers.
 */
export function mountProcedures(app: FastifyInstance, deps: Deps, getContext: GetContext): void {
  app.all<{ Params: { path: string } }>('/trpc/:path', async (request, reply) => {
    const calls = callsOf(request)
    if (calls.length === 0) throw new AppError('not_found', 'Not found')
    if (calls.length > 1 && calls.some(isLargeCall))
      throw new AppError('bad_request', 'One of these calls cannot be part of a batch.')
    if (calls.filter(isLongAnswer).length > 1)
      throw new AppError('bad_request', 'One of these calls can be in a batch only once.')
    const response = await resolveResponse({
      req: asWebRequest(request),
      path: request.params.path,
      router: rootRouter,
      createContext: () => getContext(request),
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
      .send(Buffer.from(await response.arrayBuffer()))
  })
}

/** The parts of a request that tRPC reads. Its JSON is already parsed. */
function asWebRequest({ method, url, body }: FastifyRequest): Request {
  const address = new URL(url, 'http://localhost')
  if (method === 'GET' || method === 'HEAD' || body === undefined) return new Request(address, { method })
  const request = new Request(address, { method, headers: { 'content-type': 'application/json' } })
  return Object.assign(request, { json: async () => body })
}
