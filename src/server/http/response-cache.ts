import { hash } from 'node:crypto'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createLru } from '../../domain/common/lru.ts'
import type { Deps } from '../kernel/deps.ts'
import { procedureList, restRoutes } from '../procedure-list.ts'
import { isApiUrl } from './api-url.ts'
import type { GetContext } from './context.ts'
import { chooseEncoding, type Encoding } from './encodings.ts'
import { etagOf, isNotModified } from './etag.ts'

/** Calls whose response depends only on the database and is the same for everyone. */
const publicReads = callsCachedAs('public')
/** Calls whose response depends only on the database and the session. */
const cacheableReads = new Set([...publicReads, ...callsCachedAs('session')])
const restCalls = new Map(
  restRoutes
    .filter(({ method }) => method === 'GET')
    .map(({ path, procedure }) => [path.replaceAll(/\{(\w+)\}/g, ':$1'), procedure.call]),
)
const maxResponses = 100
const maxEtags = 5000
/** A smaller body fits in one packet even without compression. */
const minGzipBytes = 1400
const gzipLevel = 5

type Payloads = Partial<Record<Encoding, Buffer>> & { identity: Buffer }
type CachedResponse = { version: string; etag: string; type: string; headers: string[]; payloads: Payloads }
type KnownEtag = { version: string; etag: string }

/**
 * Caches responses to public reads until the next write, and sets an ETag on every API response, so that most polls
 * get a 304 without a body. Reads with `cache: 'session'` in their meta get a 304 without a query until the next
 * write. Large responses are compressed. Compression is safe from attacks such as BREACH, because sessions use a
 * header: another site cannot make a browser send an authenticated request.
 */
export function mountResponseCache(
  app: FastifyInstance,
  { dataVersion }: Pick<Deps, 'dataVersion'>,
  getContext: GetContext,
): void {
  const responses = createLru<string, CachedResponse>(maxResponses)
  const etags = createLru<string, KnownEtag>(maxEtags)
  /** Set before the data is read, so that the next request notices a write in between. */
  const versions = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', (request, reply, done) => {
    const calls = request.method === 'GET' ? callsOf(request) : undefined
    if (!calls || !includesAll(cacheableReads, calls)) return done()
    const version = dataVersion()
    const cached = responses.peek(keyOf(request))
    if (cached?.version === version) return sendCached(request, reply, cached)
    versions.set(request, version)
    if (request.headers['if-none-match'] === undefined || includesAll(publicReads, calls)) return done()
    getContext(request).then(({ sessionId }) => {
      const last = etags.peek(keyOf(request, sessionId))
      if (sessionId === undefined || last?.version !== dataVersion() || !isNotModified(request, last.etag))
        return done()
      void reply.header('ETag', last.etag).status(304).send()
    }, done)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || request.method !== 'GET' || typeof payload !== 'string') return done()
    if (!isApiUrl(request.url)) return done()
    const etag = etagOf(payload)
    reply.header('ETag', etag)
    varyByEncoding(reply)
    // Node sends a buffer much faster than a long string.
    const bytes = Buffer.from(payload)
    const finish = (payloads: Payloads) => {
      if (isNotModified(request, etag)) {
        reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
        return done(null, null)
      }
      const encoding = encodingFor(request, payloads)
      if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
      done(null, payloads[encoding])
    }
    const finishPrivate = () =>
      encodingFor(request, { gzip: true }) === 'gzip' && !isNotModified(request, etag)
        ? withGzip(bytes, finish)
        : finish({ identity: bytes })
    const version = versions.get(request)
    if (version === undefined) return finishPrivate()
    if (includesAll(publicReads, callsOf(request) ?? []))
      return withGzip(bytes, payloads => {
        responses.set(keyOf(request), { version, etag, ...headersToCache(reply), payloads })
        finish(payloads)
      })
    getContext(request).then(({ sessionId }) => {
      if (sessionId !== undefined) etags.set(keyOf(request, sessionId), { version, etag })
      finishPrivate()
    }, done)
  })
}

/** A hash, because an address may take 8 KB. */
const keyOf = ({ url }: FastifyRequest, sessionId = '') => hash('sha256', `${sessionId} ${url}`, 'base64url')

function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('Vary')
  reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

function headersToCache(reply: FastifyReply): Pick<CachedResponse, 'type' | 'headers'> {
  const { 'x-request-id': _, 'content-type': type, 'content-length': __, ...others } = reply.getHeaders()
  const headers = Object.entries({ ...others, 'cache-control': 'no-store' }).flatMap(([name, value]) => [
    name,
    String(value),
  ])
  return { type: String(type), headers }
}

function withGzip(identity: Buffer, use: (payloads: Payloads) => void): void {
  if (identity.length < minGzipBytes) use({ identity })
  else
    gzip(identity, { level: gzipLevel }, (error, zipped) =>
      use(error ? { identity } : { identity, gzip: zipped }),
    )
}

function encodingFor({ headers }: FastifyRequest, available: Partial<Record<Encoding, unknown>>): Encoding {
  const accepted = headers['accept-encoding']
  return accepted === undefined || !available.gzip ? 'identity' : chooseEncoding(accepted, available)
}

/** Bypasses Fastify's reply, which would assemble the same headers again. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, headers, payloads, type }: CachedResponse,
) {
  reply.hijack()
  const sent = [...headers, 'x-request-id', request.id]
  if (isNotModified(request, etag)) return void reply.raw.writeHead(304, sent).end()
  const encoding = encodingFor(request, payloads)
  const payload = payloads[encoding] ?? payloads.identity
  if (encoding !== 'identity') sent.push('content-encoding', encoding)
  sent.push('content-type', type, 'content-length', String(payload.length))
  reply.raw.writeHead(200, sent).end(payload)
}

/** The procedures that a request calls. */
function callsOf({ params, routeOptions: { url } }: FastifyRequest): string[] | undefined {
  if (url === '/trpc/:path') return (params as { path: string }).path.split(',')
  const call = restCalls.get(url ?? '')
  return call === undefined ? undefined : [call]
}

const includesAll = (reads: ReadonlySet<string>, calls: readonly string[]) =>
  calls.every(call => reads.has(call))

function callsCachedAs(kind: 'public' | 'session'): Set<string> {
  return new Set(procedureList.filter(({ cache }) => cache === kind).map(({ call }) => call))
}
