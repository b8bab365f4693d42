import { resolveResponse } from '@trpc/server/http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Deps } from '../kernel/deps.ts'
import { describeError } from '../kernel/trpc.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { rootRouter } from '../root-router.ts'
import type { ContextOf } from './context.ts'

const maxBatch = 10
/** Too heavy for a batch: its limit is one for each request. */
const unbatchable = 'leases.sign'

/**
 * Mounts all procedures as the browser calls them. Not with tRPC's adapter for Fastify: that one answers with
 * streams, which the response cache could not keep or compare, and brings parsers of its own.
 */
export function mountProcedures(app: FastifyInstance, deps: Deps, contextOf: ContextOf): void {
  app.all<{ Params: { path: string } }>('/trpc/:path', async (request, reply) => {
    const calls = request.params.path.split(',')
    if (calls.length > 1 && calls.includes(unbatchable))
      throw new AppError('bad_request', 'A lease is signed by a call of its own.')
    const response = await resolveResponse({
      req: asWebRequest(request),
      path: request.params.path,
      router: rootRouter,
      createContext: async () => ({
        ...(await contextOf(request)),
        waitForTurn: calls.length > 1 ? createTurns() : undefined,
      }),
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

/** Each call of a batch begins in a turn of the event loop of its own, so that other requests get theirs in between. */
function createTurns(): () => Promise<void> {
  let last = Promise.resolve()
  return () => {
    last = last.then(yieldToEventLoop)
    return last
  }
}

/** The part of a request that tRPC reads; its JSON has been parsed already. */
function asWebRequest({ method, url, body }: FastifyRequest): Request {
  const address = new URL(url, 'http://localhost')
  if (method === 'GET' || method === 'HEAD' || body === undefined) return new Request(address, { method })
  const request = new Request(address, { method, headers: { 'content-type': 'application/json' } })
  return Object.assign(request, { json: async () => body })
}
