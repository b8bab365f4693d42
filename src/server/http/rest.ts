import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { createCaller } from '../root-router.ts'
import { describeError } from '../trpc.ts'
import type { ContextOf } from './app.ts'
import { restRows } from './rest-table.ts'

type Json = Record<string, unknown>
export type RestRequest = { params: Record<string, string>; query: Record<string, string>; body: Json }
export type RestRow = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The procedure that answers, `feature.name`. */
  call: string
  status?: number
  /** What the procedure gets, where it isn't the body with the path's ids laid over it. */
  input?: (request: RestRequest) => unknown
  /** An answer that may be too long to be made at once: its text in parts, or undefined where the procedure answers. */
  parts?: (context: Context, input: unknown) => AsyncIterable<string> | undefined
  /** How a failure is told, where it isn't `{ error, fields?, requestId? }`. */
  failure?: (answer: Json) => Json
}

/** Mounts the documented REST paths: each calls its procedure through the tRPC caller, one handler for all. */
export function mountRest(app: FastifyInstance, contextOf: ContextOf): void {
  for (const row of restRows) {
    app.route({
      method: row.method,
      url: row.path,
      handler: async (request, reply) => answer(row, request, reply, contextOf),
    })
  }
}

async function answer(row: RestRow, request: FastifyRequest, reply: FastifyReply, contextOf: ContextOf) {
  try {
    const context = await contextOf(request)
    const parts = row.parts?.(context, inputOf(row, request))
    if (parts) return reply.type('application/json; charset=utf-8').send(Readable.from(parts))
    const caller = createCaller(context)
    const [feature, name] = row.call.split('.') as [keyof typeof caller, string]
    const procedure = (caller[feature] as unknown as Record<string, (input: unknown) => Promise<unknown>>)[
      name
    ]
    if (!procedure) throw new Error(`no procedure ${row.call}`)
    const result = await procedure(inputOf(row, request))
    return reply.status(row.status ?? 200).send(result)
  } catch (error) {
    return sendError(error, request, reply, row.failure)
  }
}

function inputOf(row: RestRow, request: FastifyRequest): unknown {
  const params = request.params as Record<string, string>
  const query = request.query as Record<string, string>
  const body = request.body === undefined || request.body === null ? {} : request.body
  const isObject = typeof body === 'object' && !Array.isArray(body)
  if (row.input && isObject) return row.input({ params, query, body: body as Json })
  if (!isObject) return body
  const input = { ...query, ...body, ...params }
  return Object.keys(input).length > 0 ? input : undefined
}

/** The one way in which a failure leaves over HTTP. */
export function sendError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  shape: (answer: Json) => Json = same,
) {
  const { status, message, fields, retryAfterSeconds, expected } = describeError(error)
  if (!expected) request.log.error({ err: error, requestId: request.id }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  return reply
    .status(status)
    .send(shape({ error: message, ...(fields && { fields }), requestId: request.id }))
}

const same = (answer: Json) => answer
