import type { IncomingMessage } from 'node:http'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { requireAdmin, requireSignedIn } from '../../domain/accounts/access.ts'
import { AppError, type ErrorCode } from '../../domain/common/errors.ts'
import { isLargeCall, largeCalls } from '../../domain/common/large-calls.ts'
import { mediaPath } from '../../domain/content/picture.ts'
import type { Deps } from '../kernel/deps.ts'
import { procedureErrorResponse } from '../kernel/trpc.ts'
import { procedureList } from '../procedure-list.ts'
import { mountApiDocs } from './api-docs.tsx'
import { mountCalendars } from './calendar-route.ts'
import { callsOf, isApiUrl, isProcedureUrl, routedUrl } from './calls-of.ts'
import { limitConnections } from './connections.ts'
import { createContextProvider, type GetContext } from './context.ts'
import { demoGuard, setupGuard } from './demo-guard.ts'
import { mountMedia } from './file-routes.ts'
import { mountFiles } from './files.ts'
import { maxBatch, mountProcedures } from './procedures.ts'
import { discardRest, receiveBody, senderOf, smallBodyBytes } from './receive-body.ts'
import { mountResponseCache } from './response-cache.ts'
import { mountRest, sendError } from './rest.ts'
import { createSecurityHeaders } from './security-headers.ts'
import { mountSeo } from './seo.ts'
import { limitUnsent } from './unsent.ts'
import { mountWebhook } from './webhook.ts'

const closeIdleEveryMs = 100
/** Maximum number of brackets, braces and commas outside strings in a large body, and in that of anybody but the owner. */
const maxTokens = 1000

/** Builds the HTTP server with tRPC, REST, files and the webhook, without listening. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const app = createServer(deps)
  const headers = createSecurityHeaders(deps)
  app.addHook('onRequest', (request, reply, done) => {
    // After the connection has closed, the socket no longer has the address.
    Object.defineProperty(request, 'ip', { value: request.ip ?? '' })
    reply.headers(headers()).header('X-Request-Id', request.id)
    done()
  })
  limitVisitors(app, deps)
  const getContext = createContextProvider(deps)
  readJsonBodies(app, deps, getContext)
  app.addHook('onRequest', demoGuard(deps.config))
  app.addHook('onRequest', setupGuard(deps))
  mountResponseCache(app, deps, getContext)
  limitUnsent(app, getContext)
  app.addHook('onSend', (request, reply, _payload, done) => {
    const url = routedUrl(request)
    const mustNotBeStored = isApiUrl(url) || url.startsWith(mediaPath)
    if (mustNotBeStored && !reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
    done()
  })
  logRequests(app, deps)
  app.setErrorHandler((error, request, reply) => sendFailure(toAppError(error), request, reply))
  app.setNotFoundHandler((request, reply) =>
    sendFailure(new AppError('not_found', 'Not found'), request, reply),
  )

  mountProcedures(app, deps, getContext)
  mountRest(app, getContext)
  await mountFiles(app, deps, getContext)
  mountCalendars(app, deps)
  mountMedia(app, deps)
  mountWebhook(app, deps)
  mountApiDocs(app, deps.config)
  mountSeo(app, deps)
  return app
}

/** Closes the server after the current requests have got their responses. */
export async function closeApp(app: FastifyInstance, { renderer }: Deps): Promise<void> {
  // After its current request, a client keeps its connection alive, which would delay the shutdown.
  const closeIdle = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs)
  // The renderer closes first. Otherwise all waiting PDFs would be rendered before the shutdown.
  const rendererClosed = renderer.close()
  await app.close()
  await rendererClosed
  clearInterval(closeIdle)
}

/** Behind a socket the first hop, which has no address, is the proxy. */
function trustedProxies({ socket, trustProxy }: Deps['config']) {
  if (socket !== undefined) return (_address: string, hop: number) => hop === 0
  return trustProxy.length > 0 ? trustProxy : false
}

function createServer({ config, log }: Deps): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config),
    requestTimeout: 180_000,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    // By default Node checks these timeouts only every 30 seconds.
    http: {
      headersTimeout: 10_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 8192,
      requireHostHeader: false,
    },
    genReqId: () => crypto.randomUUID(),
    // No child logger for each request: every log call passes the request id.
    childLoggerFactory: logger => logger,
    routerOptions: { maxParamLength: 2000 },
    forceCloseConnections: 'idle',
    // Fastify's own response to a malformed URL lacks our headers, so route such requests to "not found".
    frameworkErrors: (_error, { raw }, reply) => {
      const url = raw.url ?? ''
      const isCalendar = /^\/calendar\/[^/?]*\.ics(\?|$)/.test(url)
      raw.url = isCalendar ? '/calendar/-.ics' : `${/^\/(api|trpc|media)(?=\/)/.exec(url)?.[0] ?? ''}/-`
      app.routing(raw, reply.raw)
    },
  })
  app.server.maxHeadersCount = 64
  return app
}

/** Behind a proxy, requests count by the addresses of their visitors, also while a response is not read. */
function limitVisitors(app: FastifyInstance, { config }: Deps): void {
  const isProxied = config.socket !== undefined || config.trustProxy.length > 0
  const enter = limitConnections(app.server, { isProxied })
  if (!isProxied) return
  app.addHook('onRequest', ({ ip }, { raw }, done) => {
    if (enter(ip, raw)) return done()
    const message = 'The site is busy. Please try again in a moment.'
    done(new AppError('unavailable', message, { retryAfterSeconds: 2 }))
  })
}

function logRequests(app: FastifyInstance, { log }: Deps): void {
  app.addHook('onResponse', (request, reply, done) => {
    // Log the route pattern, not the URL, to keep ids, tokens and search terms out of the log.
    const route = request.routeOptions.url ?? '(none)'
    const ms = Math.round(reply.elapsedTime)
    log.info(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, ms },
      'request',
    )
    done()
  })
}

/** Sends an error that occurred outside any route, in the format of the caller's transport. */
function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const shape = isProcedureUrl(routedUrl(request))
    ? () => procedureErrorResponse(error, request.id)
    : undefined
  return sendError(error, request, reply, shape)
}

/** Accepts only JSON, with a size limit by URL. A request with an empty body may still declare JSON. */
function readJsonBodies(app: FastifyInstance, deps: Deps, getContext: GetContext): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const receive = async (request: FastifyRequest, payload: IncomingMessage) => {
    const large = largeBodyOf(request)
    const { actor } = await getContext(request)
    large?.requireActor(actor)
    const calls = Math.min(maxBatch, Math.max(1, callsOf(request).length))
    const ready = async () => (await getContext(request)).bookTurns?.(calls)
    const body = await receiveBody(request, payload, large?.maxBytes ?? smallBodyBytes, {
      ready,
      sender: senderOf(deps, actor),
    })
    const text = body.toString()
    if ((body.length > smallBodyBytes || actor.role !== 'admin') && !isWithinTokenLimit(text))
      throw new AppError('too_large', 'This is too large.')
    return text
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', (request, payload, done) => {
    receive(request, payload).then(
      text => (text === '' ? done(null, undefined) : parseJson(request, text, done)),
      async error => {
        const sender = await getContext(request)
          .then(({ actor }) => senderOf(deps, actor))
          .catch(() => ({ role: 'guest' as const }))
        await discardRest(request, sender, payload)
        done(error)
      },
    )
  })
}

/** The limit of a request whose body may be large (a signature, a content section, an import), and who may send it. */
function largeBodyOf(request: FastifyRequest) {
  const isLeasePreview = request.routeOptions.url === '/api/site/admin/lease-preview'
  const [name = '', ...others] = isLeasePreview ? ['wordings.preview'] : callsOf(request)
  if (!isLargeCall(name) || others.length > 0) return undefined
  const { access } = procedureList.find(({ call }) => call === name) ?? {}
  // A signer's link is in the body; what holds the others back is the limit of all bodies.
  if (access === 'public') return { maxBytes: largeCalls[name], requireActor: () => undefined }
  return { maxBytes: largeCalls[name], requireActor: access === 'session' ? requireSignedIn : requireAdmin }
}

/**
 * A legitimate large body is mostly text; parsing two million brackets would block the process for half a second. A
 * visitor's or a tenant's has a few fields; one of many brackets takes 20 times its size, also while it waits.
 */
function isWithinTokenLimit(body: string): boolean {
  let found = 0
  let inText = false
  for (let at = 0; at < body.length; at++) {
    const mark = body[at]
    if (mark === '"') inText = !inText
    else if (inText && mark === '\\') at++
    else if (!inText && (mark === '[' || mark === '{' || mark === ',') && ++found > maxTokens) return false
  }
  return true
}

const codes: Record<number, [ErrorCode, string]> = {
  413: ['too_large', 'This is too large.'],
  415: ['unsupported_type', 'This kind of content is not accepted here.'],
}

/** Converts Fastify's client errors (a body that is too large or not JSON) to `AppError`; returns others unchanged. */
function toAppError(error: unknown): unknown {
  if (error instanceof AppError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (!(status >= 400 && status < 500)) return error
  const [code, message] = codes[status] ?? ['bad_request', 'This request could not be read.']
  return new AppError(code, message, { cause: error })
}
