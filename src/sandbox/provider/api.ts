import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { dayMs } from '../../domain/common/durations.ts'
import { createSession, expireSession, findSession } from './checkout.ts'
import { decodeForm } from './form.ts'
import {
  ApiError,
  errorResponse,
  jsonResponse,
  notFound,
  type ProviderRequest,
  type ProviderResponse,
} from './http.ts'
import { buildEndpoint } from './objects.ts'
import {
  endpointParams,
  type Filters,
  listParams,
  parseParams,
  refundParams,
  retrieveParams,
  sessionParams,
} from './params.ts'
import { createRefund } from './refunds-and-disputes.ts'
import type { Kind, SandboxContext } from './store.ts'

/** Where the work ends in a 500: before it changed anything, or after all changes. */
export type FailurePoint = 'before-work' | 'after-work'

type Work = (context: SandboxContext) => object
type Endpoint = {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  /** Checks the parameters, and returns the function that does the work. */
  prepare: (params: ReturnType<typeof decodeForm>, id: string) => Work
}

function endpoint<T extends z.ZodType<{ expand?: string[] }>>(
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
      return context => expandAll(context, run(context, params, id), params.expand ?? [])
    },
  }
}

function retrieve(path: string, kind: Kind): Endpoint {
  return endpoint('GET', `${path}/:id`, retrieveParams, (context, _params, id) => {
    const object = context.store.find(kind, id)
    if (!object) throw notFound(kind, id)
    return object
  })
}

function list(path: string, kind: Kind, columns: readonly (keyof Filters)[]): Endpoint {
  return endpoint('GET', path, listParams(columns), (context, { filters, page }) => {
    const { data, hasMore } = context.store.list(kind, filters, page)
    return listObject(path, data, hasMore)
  })
}

const sessions = '/v1/checkout/sessions'
const endpoints: Endpoint[] = [
  endpoint('POST', sessions, sessionParams, createSession),
  list(sessions, 'checkout.session', ['payment_intent', 'status']),
  retrieve(sessions, 'checkout.session'),
  endpoint('POST', `${sessions}/:id/expire`, retrieveParams, (context, _params, id) =>
    expireSession(context, id),
  ),
  endpoint('GET', `${sessions}/:id/line_items`, listParams([]), (context, _params, id) =>
    lineItemsOf(context, findSession(context, id).id),
  ),
  retrieve('/v1/payment_intents', 'payment_intent'),
  retrieve('/v1/charges', 'charge'),
  list('/v1/charges', 'charge', ['payment_intent']),
  endpoint('POST', '/v1/refunds', refundParams, createRefund),
  retrieve('/v1/refunds', 'refund'),
  list('/v1/refunds', 'refund', ['charge', 'payment_intent']),
  retrieve('/v1/disputes', 'dispute'),
  list('/v1/disputes', 'dispute', ['payment_intent']),
  retrieve('/v1/events', 'event'),
  list('/v1/events', 'event', ['type']),
  endpoint('GET', '/v1/account', retrieveParams, () => account),
  endpoint('POST', '/v1/webhook_endpoints', endpointParams, ({ now, store }, params) => {
    const made = buildEndpoint(params, Math.floor(now().getTime() / 1000))
    store.insert(made)
    return made
  }),
  endpoint('GET', '/v1/webhook_endpoints', listParams([]), ({ store }, { page }) => {
    const { data, hasMore } = store.list('webhook_endpoint', {}, page)
    return listObject(
      '/v1/webhook_endpoints',
      data.map(({ secret: _, ...shown }) => shown),
      hasMore,
    )
  }),
  endpoint('DELETE', '/v1/webhook_endpoints/:id', retrieveParams, ({ store }, _params, id) => {
    if (!store.find('webhook_endpoint', id)) throw notFound('webhook_endpoint', id)
    store.remove(id)
    return { id, object: 'webhook_endpoint', deleted: true }
  }),
]
/** What a restricted key may not do. */
const needsFullKey = /^\/v1\/(account|webhook_endpoints)\b/
const account = {
  id: 'acct_sandbox',
  object: 'account',
  settings: { dashboard: { display_name: 'Sandbox Rentals' } },
}

/**
 * Handles one API call: API key, parameters, idempotency, work, expansion. Errors have the provider's format. The
 * response of a POST's work, including a 500, is stored under its idempotency key for 24 hours.
 */
export function handleApi(
  context: SandboxContext,
  request: ProviderRequest,
  failurePoint?: FailurePoint,
): ProviderResponse {
  try {
    const key = readKey(request.headers.authorization)
    const { pathname, search } = new URL(request.path, 'http://provider.invalid')
    if (key.startsWith('rk_') && needsFullKey.test(pathname))
      throw new ApiError('The provided key does not have the required permissions.', { status: 403 })
    const found = endpoints.find(({ method, path }) => method === request.method && path.test(pathname))
    if (!found)
      throw new ApiError(`Unrecognized request URL (${request.method}: ${pathname}).`, { status: 404 })
    const params = decodeForm([search.slice(1), request.body].filter(Boolean).join('&'))
    const work = found.prepare(params, found.path.exec(pathname)?.[1] ?? '')
    const answer = () => runWork(context, work, failurePoint)
    const onceKey = request.headers['idempotency-key']
    if (request.method !== 'POST' || !onceKey) return answer()
    return oncePerKey(context, onceKey, `${pathname}\n${request.body}`, answer)
  } catch (error) {
    return errorResponse(error)
  }
}

/** Keeps the SDK from retrying a request whose response is stored. */
const noRetry = { 'stripe-should-retry': 'false' }

function runWork(
  context: SandboxContext,
  work: Work,
  failurePoint: FailurePoint | undefined,
): ProviderResponse {
  const failure = new ApiError('An unknown error occurred.', { status: 500, type: 'api_error' })
  if (failurePoint === 'before-work') return errorResponse(failure, noRetry)
  try {
    const answer = context.store.atomically(() => work(context))
    return failurePoint ? errorResponse(failure, noRetry) : jsonResponse(200, JSON.stringify(answer, null, 2))
  } catch (error) {
    // Errors are stored too: a repeated key returns the same error.
    return errorResponse(error)
  }
}

function oncePerKey(
  { now, store }: SandboxContext,
  key: string,
  request: string,
  answer: () => ProviderResponse,
): ProviderResponse {
  if (key.length > 255) throw new ApiError('Idempotency keys can be at most 255 characters.')
  const fingerprint = createHash('sha256').update(request).digest('hex')
  return store.atomically(() => {
    const saved = store.storedResponse(key, now().getTime() - dayMs)
    if (!saved) {
      const response = answer()
      store.storeResponse(key, { ...response, fingerprint }, now().getTime())
      return response
    }
    if (saved.fingerprint !== fingerprint)
      throw new ApiError(
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: 'idempotency_error' },
      )
    const replayed = { 'idempotent-replayed': 'true', ...(saved.status >= 500 && noRetry) }
    return jsonResponse(saved.status, saved.body, replayed)
  })
}

function readKey(authorization: string | undefined): string {
  const refuse = (message: string) => new ApiError(message, { status: 401 })
  const key = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  if (!key) throw refuse('You did not provide an API key in the Authorization header, using Bearer auth.')
  if (key.startsWith('sk_live_')) throw refuse('This is the sandbox: it takes no live keys.')
  if (!/^(sk|rk)_test_/.test(key)) throw refuse(`Invalid API Key provided: ${key.slice(0, 7)}***`)
  return key
}

type Plain = { [name: string]: unknown }

/** Replaces ids with their objects along each path (`payment_intent.latest_charge`, in lists `data.…`). */
function expandAll(context: SandboxContext, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer)
  for (const path of paths) expandPath(context, copy as Plain, path.split('.'), path)
  return copy
}

function expandPath(context: SandboxContext, target: Plain, [name, ...rest]: string[], path: string): void {
  if (name === undefined) return
  const value = target[name] ?? hiddenList(context, target, name)
  const expanded = typeof value === 'string' ? context.store.findAny(value) : value
  if (expanded === undefined) throw new ApiError(`This property cannot be expanded (${path}).`)
  target[name] = expanded
  for (const next of Array.isArray(expanded) ? expanded : [expanded]) {
    if (typeof next === 'object' && next !== null) expandPath(context, next as Plain, rest, path)
  }
}

/** A property, or a session's line items, which are included only when expanded. */
function hiddenList(context: SandboxContext, target: Plain, name: string): unknown {
  const isLineItems = target.object === 'checkout.session' && name === 'line_items'
  return isLineItems ? lineItemsOf(context, String(target.id)) : target[name]
}

function lineItemsOf({ store }: SandboxContext, sessionId: string) {
  return listObject(`/v1/checkout/sessions/${sessionId}/line_items`, store.details(sessionId).lineItems)
}

function listObject(url: string, data: readonly object[], hasMore = false) {
  return { object: 'list', data, has_more: hasMore, url }
}
