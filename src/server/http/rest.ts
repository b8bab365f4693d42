import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { describeError } from '../kernel/trpc.ts'
import { restRoutes } from '../procedure-list.ts'
import { createCaller } from '../root-router.ts'
import type { GetContext } from './context.ts'
import { createQueryParser } from './json-schema.ts'

type Json = Record<string, unknown>
type Route = (typeof restRoutes)[number]

/** Mounts the documented REST paths with one handler, which calls each path's procedure through the tRPC caller. */
export function mountRest(app: FastifyInstance, getContext: GetContext): void {
  for (const route of restRoutes) {
    const readQuery = createQueryParser(route.procedure.input)
    app.route({
      method: route.method,
      url: route.pattern,
      handler: async (request, reply) => {
        try {
          const input = inputOf(route, request, readQuery)
          const result = await procedureOf(
            createCaller(await getContext(request)),
            route.procedure.call,
          )(input)
          return reply.status(route.procedure.status ?? 200).send(result)
        } catch (error) {
          return sendError(error, request, reply, route.procedure.failure?.from)
        }
      },
    })
  }
}

/** Finds a caller's procedure by its dotted name. */
function procedureOf(caller: object, call: string): (input: unknown) => Promise<unknown> {
  const found: unknown = call.split('.').reduce((part, name) => Reflect.get(part, name), caller)
  return found as (input: unknown) => Promise<unknown>
}

/**
 * A procedure's input: the query (GET), query and body (DELETE) or body (others), overridden by the path's ids. The
 * query of other methods is ignored, because a URL must not contain secrets.
 */
function inputOf(route: Route, request: FastifyRequest, readQuery: (query: Json) => Json): unknown {
  const params = request.params as Json
  const query = route.method === 'GET' || route.method === 'DELETE' ? readQuery(request.query as Json) : {}
  if (route.method === 'GET') {
    const input = { ...query, ...params }
    return Object.keys(input).length > 0 ? input : undefined
  }
  const body = request.body ?? {}
  return typeof body === 'object' && !Array.isArray(body) ? { ...query, ...body, ...params } : body
}

/** Sends any error as an HTTP response. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: (answer: { error: string }) => Json = answer => answer,
) {
  const { current, status, message, fields, retryAfterSeconds, stepUp, expected } = describeError(error)
  if (!expected) request.log.error({ err: error, requestId: request.id }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  return reply.status(status).send(
    shape({
      error: message,
      ...(fields && { fields }),
      ...(current !== undefined && { current }),
      ...(stepUp && { stepUp }),
      requestId: request.id,
    } as { error: string }),
  )
}
