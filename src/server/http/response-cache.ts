import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createLru } from '../../domain/common/lru.ts'
import { liveClaimsKey } from '../bookings/claim-records.ts'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import type { Deps } from '../kernel/deps.ts'
import { procedureList } from '../procedure-list.ts'
import { callsOf, isApiUrl, routedUrl } from './calls-of.ts'
import type { GetContext } from './context.ts'
import { type Bodies, chooseEncoding, type Encoding, etagOf, isNotModified } from './encodings.ts'
import { createReadPlaces } from './read-places.ts'
import { enterUnsent } from './unsent.ts'

/** Calls whose response depends only on the database and is the same for everyone. */
const publicReads = new Set(procedureList.filter(({ cache }) => cache === 'public').map(({ call }) => call))
/** A smaller body fits in one packet even without compression. */
const minGzipBytes = 1400
const gzipLevel = 5
/** Bounds the memory of all cached responses, because anyone can ask for any number of different ones. */
const maxCacheBytes = 16 * 1024 * 1024
/** A larger payload is a batch that no screen asks for, and would displace many others. */
const maxCachedLength = 128 * 1024
/** For a response's address and headers. */
const entryBytes = 10_000

type CachedResponse = { etag: string; type: string; headers: string[]; bodies: Bodies }
type Responses = ReturnType<typeof createResponses>

/**
 * Caches responses to public reads until the next write, and sets an ETag on every API response, so that most polls
 * get a 304 without a body. Large responses are compressed. Compression is safe from attacks such as BREACH, because
 * sessions use a header: another site cannot make a browser send an authenticated request. A read that is not cached
 * waits for a place.
 */
export function mountResponseCache(app: FastifyInstance, deps: Deps, getContext: GetContext): void {
  const takePlace = createReadPlaces()
  /** Gives back the place of a read. */
  const leaves = new WeakMap<FastifyRequest, () => void>()
  /** Where the response of a public read will be stored. */
  const caches = new WeakMap<FastifyRequest, Responses>()

  const isAnswered = (request: FastifyRequest, reply: FastifyReply): boolean => {
    // While the site is not open, the owner gets another response than visitors.
    if (request.method !== 'GET' || !isPublicRead(request) || deps.opening() !== 'open') return false
    // Chosen before the data is read: after a write in between, nobody looks there.
    const responses = cachedUntilWrite(deps, `public responses ${liveClaimsKey(deps)}`, createResponses)
    caches.set(request, responses)
    const response = responses.get(request.url)
    return response !== undefined && sendCached(request, reply, response)
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!isAnswered(request, reply)) done()
  })

  app.addHook('preHandler', async (request, reply) => {
    if (!isRead(request)) return
    const leave = await takePlace((await getContext(request)).actor)
    if (request.socket.destroyed) reply.hijack()
    // Another request with the same answer may have been ahead.
    if (request.socket.destroyed || isAnswered(request, reply)) return leave()
    leaves.set(request, leave)
  })

  // A client that does not read its response, or has gone, must neither keep a place nor free it before the work ends.
  app.addHook('onSend', async (request, reply, payload) => {
    try {
      return await toSend(request, reply, payload)
    } finally {
      leaves.get(request)?.()
    }
  })

  async function toSend(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (reply.statusCode !== 200 || request.method !== 'GET' || !isApiUrl(routedUrl(request))) return payload
    if (reply.hasHeader('ETag')) return payload
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const identity = typeof payload === 'string' ? Buffer.from(payload) : payload
    const responses = identity.length > maxCachedLength ? undefined : caches.get(request)
    const etag = etagOf(identity)
    const vary = reply.getHeader('Vary')
    reply.header('ETag', etag)
    reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
    const isKnown = isNotModified(request, etag)
    const bodies: Bodies = { identity }
    if (responses || (!isKnown && encodingFor(request, { gzip: true }) === 'gzip')) await addGzip(bodies)
    responses?.set(request.url, { etag, ...headersToCache(reply), bodies })
    if (isKnown) {
      reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
      return null
    }
    const encoding = encodingFor(request, bodies)
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
    return bodies[encoding]
  }
}

const createResponses = () => createLru<string, CachedResponse>(maxCacheBytes, bytesOf)

/** The memory that a response keeps: a small buffer is a part of a larger one. */
function bytesOf({ bodies }: CachedResponse): number {
  return Object.values(bodies).reduce((sum, { buffer }) => sum + buffer.byteLength, entryBytes)
}

function headersToCache(reply: FastifyReply): Pick<CachedResponse, 'type' | 'headers'> {
  const { 'x-request-id': _, 'content-type': type, 'content-length': __, ...others } = reply.getHeaders()
  const headers = { ...others, 'cache-control': 'no-store' }
  return { type: String(type), headers: Object.entries(headers).flat().map(String) }
}

async function addGzip(bodies: Bodies): Promise<void> {
  if (bodies.identity.length < minGzipBytes) return
  bodies.gzip = await promisify(gzip)(bodies.identity, { level: gzipLevel })
}

function encodingFor({ headers }: FastifyRequest, available: Partial<Record<Encoding, unknown>>): Encoding {
  const accepted = headers['accept-encoding']
  return accepted === undefined || !available.gzip ? 'identity' : chooseEncoding(accepted, available)
}

/**
 * Bypasses Fastify's reply, which would assemble the same headers again; false if it must not, as too much is unsent.
 */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { bodies, etag, headers, type }: CachedResponse,
): boolean {
  const encoding = encodingFor(request, bodies)
  const body = bodies[encoding] ?? bodies.identity
  const isKnown = isNotModified(request, etag)
  if (!enterUnsent(request, reply, isKnown ? 0 : body.length)) return false
  reply.hijack()
  const sent = [...headers, 'x-request-id', request.id]
  if (isKnown) {
    reply.raw.writeHead(304, sent).end()
    return true
  }
  if (encoding !== 'identity') sent.push('content-encoding', encoding)
  sent.push('content-type', type, 'content-length', String(body.length))
  reply.raw.writeHead(200, sent).end(body)
  return true
}

/** Whether a request calls only public reads. */
function isPublicRead(request: FastifyRequest): boolean {
  const calls = callsOf(request)
  return calls.length > 0 && calls.every(call => publicReads.has(call))
}

/** Whether a request calls procedures that only read. Whether the site works must be known even if it is busy. */
function isRead(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const calls = callsOf(request)
  return calls.length > 0 && calls.join() !== 'site.health'
}
