import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { ApiError, noSuch } from './api-error.ts'
import { createSession, expireSession, findSession, sessionDetails } from './checkout.ts'
import type { SandboxContext } from './events.ts'
import { expandAll, listObject } from './expand.ts'
import { decodeForm } from './form.ts'
import { newId } from './ids.ts'
import { createRefund } from './money-back.ts'
import { listParams, parseParams, refundParams, retrieveParams, sessionParams } from './params.ts'
import type { Filters, Kind } from './store.ts'

export type ProviderRequest = {
  method: string
  /** With its query string. */
  path: string
  headers: Record<string, string | undefined>
  body: string
}
/** `hangUp`: the server is to close the connection without an answer. */
export type ProviderResponse = {
  status: number
  headers: Record<string, string>
  body: string
  hangUp?: boolean
}

/** Where the work ends in a 500: before anything was made, or after all of it was. */
export type BreakOff = 'before-work' | 'after-work'

type Params = { expand?: string[] }
type Endpoint = {
  method: 'GET' | 'POST'
  path: RegExp
  /** Checks the parameters first; what it returns does the work. */
  prepare: (
    params: ReturnType<typeof decodeForm>,
    id: string,
  ) => { expand: string[]; work: (context: SandboxContext) => object }
}

function endpoint<T extends z.ZodType<Params>>(
  method: Endpoint['method'],
  path: string,
  schema: T,
  run: (context: SandboxContext, params: z.infer<T>, id: string) => object,
): Endpoint {
  return {
    method,
    path: new RegExp(`^${path.replace(':id', '([A-Za-z0-9_]+)')}$`),
    prepare(input, id) {
      const params = parseParams(schema, input)
      return { expand: params.expand ?? [], work: context => run(context, params, id) }
    },
  }
}

function retrieve(path: string, kind: Kind, param: string): Endpoint {
  return endpoint('GET', `${path}/:id`, retrieveParams, (context, _params, id) => {
    const object = context.store.find(kind, id)
    if (!object) throw noSuch(kind, id, param)
    return object
  })
}

function list(path: string, kind: Kind, filters: readonly (keyof Filters)[]): Endpoint {
  return endpoint('GET', path, listParams(filters), (context, { expand: _, filters: by, page }) => {
    const { data, hasMore } = context.store.list(kind, by, page)
    return listObject(path, data, hasMore)
  })
}

const endpoints: Endpoint[] = [
  endpoint('POST', '/v1/checkout/sessions', sessionParams, createSession),
  list('/v1/checkout/sessions', 'checkout.session', ['payment_intent', 'status']),
  endpoint('GET', '/v1/checkout/sessions/:id', retrieveParams, (context, _params, id) =>
    findSession(context, id),
  ),
  endpoint('POST', '/v1/checkout/sessions/:id/expire', retrieveParams, (context, _params, id) =>
    expireSession(context, id),
  ),
  endpoint('GET', '/v1/checkout/sessions/:id/line_items', listParams([]), (context, _params, id) =>
    listObject(
      `/v1/checkout/sessions/${findSession(context, id).id}/line_items`,
      sessionDetails(context, id).lineItems,
      false,
    ),
  ),
  retrieve('/v1/payment_intents', 'payment_intent', 'intent'),
  retrieve('/v1/charges', 'charge', 'id'),
  list('/v1/charges', 'charge', ['payment_intent']),
  endpoint('POST', '/v1/refunds', refundParams, createRefund),
  retrieve('/v1/refunds', 'refund', 'id'),
  list('/v1/refunds', 'refund', ['charge', 'payment_intent']),
  retrieve('/v1/disputes', 'dispute', 'id'),
  list('/v1/disputes', 'dispute', ['charge', 'payment_intent']),
  retrieve('/v1/events', 'event', 'id'),
  list('/v1/events', 'event', ['type']),
]

const dayMs = 24 * 60 * 60 * 1000

/**
 * Answers one API call: key, parameters, idempotency, work, expansion; every refusal in the provider's shape. What the
 * work of a POST answers, a 500 included, is stored under its idempotency key for 24 hours.
 */
export function answerApi(
  context: SandboxContext,
  request: ProviderRequest,
  breakOff?: BreakOff,
): ProviderResponse {
  const headers = { 'content-type': 'application/json', 'request-id': newId('req_') }
  try {
    return withHeaders(headers, call(context, request, breakOff))
  } catch (error) {
    if (error instanceof ApiError) return withHeaders(headers, refusal(error))
    throw error
  }
}

type Answer = { status: number; body: string; headers?: Record<string, string> }

function call(context: SandboxContext, request: ProviderRequest, breakOff: BreakOff | undefined): Answer {
  checkKey(request.headers.authorization)
  const { pathname, search } = new URL(request.path, 'http://provider.invalid')
  const found = endpoints.find(({ method, path }) => method === request.method && path.test(pathname))
  if (!found) {
    throw new ApiError(`Unrecognized request URL (${request.method}: ${pathname}).`, { status: 404 })
  }
  const id = found.path.exec(pathname)?.[1] ?? ''
  const prepared = found.prepare(decodeForm([search.slice(1), request.body].filter(Boolean).join('&')), id)
  const work = (): Answer => {
    if (breakOff === 'before-work') return brokenOff()
    try {
      const answer = context.store.atomically(() =>
        expandAll(context, prepared.work(context), prepared.expand),
      )
      if (breakOff === 'after-work') return brokenOff()
      return { status: 200, body: JSON.stringify(answer, null, 2) }
    } catch (error) {
      // Refusals are answers too: a repeated key gets the same one.
      if (error instanceof ApiError) return refusal(error)
      throw error
    }
  }
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || !key) return work()
  return onceForKey(context, key, `${pathname}\n${request.body}`, work)
}

function onceForKey(context: SandboxContext, key: string, request: string, work: () => Answer): Answer {
  if (key.length > 255) throw new ApiError('Idempotency keys can be at most 255 characters.')
  const fingerprint = createHash('sha256').update(request).digest('hex')
  return context.store.atomically((): Answer => {
    const saved = context.store.savedAnswer(key, context.now().getTime() - dayMs)
    if (saved && saved.fingerprint !== fingerprint) {
      throw new ApiError(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    }
    if (saved) {
      const replayed = { 'idempotency-key': key, 'idempotent-replayed': 'true' }
      return {
        ...saved,
        headers: saved.status >= 500 ? { ...replayed, 'stripe-should-retry': 'false' } : replayed,
      }
    }
    const answer = work()
    context.store.saveAnswer(
      key,
      { fingerprint, status: answer.status, body: answer.body },
      context.now().getTime(),
    )
    return { ...answer, headers: { ...answer.headers, 'idempotency-key': key } }
  })
}

function checkKey(authorization: string | undefined): void {
  const refuse = (message: string) => new ApiError(message, { status: 401 })
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  if (!key) {
    throw refuse(
      'You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.',
    )
  }
  if (key.startsWith('sk_live_')) throw refuse('This is the sandbox: it takes no live keys.')
  if (!key.startsWith('sk_')) throw refuse(`Invalid API Key provided: ${key.slice(0, 7)}***`)
}

function refusal(error: ApiError): Answer {
  return { status: error.status, body: JSON.stringify(error.toBody(), null, 2) }
}

/** The header keeps the SDK from asking again for an answer that is stored. */
function brokenOff(): Answer {
  const error = new ApiError('An unknown error occurred.', { status: 500, type: 'api_error' })
  return { ...refusal(error), headers: { 'stripe-should-retry': 'false' } }
}

function withHeaders(base: Record<string, string>, { status, body, headers }: Answer): ProviderResponse {
  return { status, body, headers: { ...base, ...headers } }
}
