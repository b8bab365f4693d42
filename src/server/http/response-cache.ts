import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cachedUntilWrite } from '../kernel/cached-until-write.ts'
import type { Deps } from '../kernel/deps.ts'
import { procedureList, restRoutes } from '../procedure-list.ts'
import { isApiUrl } from './api-url.ts'
import { type Bodies, chooseEncoding, type Encoding } from './encodings.ts'
import { etagOf, isNotModified } from './etag.ts'

/** Calls whose response depends only on the database and is the same for everyone. */
const publicReads = new Set(procedureList.filter(({ cache }) => cache === 'public').map(({ call }) => call))
const restCalls = new Map(
  restRoutes
    .filter(({ method }) => method === 'GET')
    .map(({ path, procedure }) => [path.replaceAll(/\{(\w+)\}/g, ':$1'), procedure.call]),
)
/** A smaller body fits in one packet even without compression. */
const minGzipBytes = 1400
const gzipLevel = 5

type CachedResponse = { etag: string; type: string; headers: string[]; bodies: Bodies }

/**
 * Caches responses to public reads until the next write, and sets an ETag on every API response, so that most polls
 * get a 304 without a body. Large responses are compressed. Compression is safe from attacks such as BREACH, because
 * sessions use a header: another site cannot make a browser send an authenticated request.
 */
export function mountResponseCache(
  app: FastifyInstance,
  deps: Pick<Deps, 'dataVersion' | 'db' | 'isWriting'>,
): void {
  /** Where the response of a public read will be stored. */
  const slots = new WeakMap<FastifyRequest, { response?: CachedResponse }>()

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET' || !isPublicRead(request)) return done()
    // Made before the data is read: after a write in between, nobody finds it.
    const slot = cachedUntilWrite(deps, `response ${request.url}`, (): { response?: CachedResponse } => ({}))
    if (slot.response) return sendCached(request, reply, slot.response)
    slots.set(request, slot)
    done()
  })

  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || request.method !== 'GET' || typeof payload !== 'string') return payload
    if (!isApiUrl(request.url)) return payload
    const slot = slots.get(request)
    const etag = etagOf(payload)
    const vary = reply.getHeader('Vary')
    reply.header('ETag', etag)
    reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
    const isKnown = isNotModified(request, etag)
    const bodies: Bodies = { identity: Buffer.from(payload) }
    if (slot || (!isKnown && encodingFor(request, { gzip: true }) === 'gzip')) await addGzip(bodies)
    if (slot) slot.response = { etag, ...headersToCache(reply), bodies }
    if (isKnown) {
      reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
      return null
    }
    const encoding = encodingFor(request, bodies)
    if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
    return bodies[encoding]
  })
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

/** Bypasses Fastify's reply, which would assemble the same headers again. */
function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  { bodies, etag, headers, type }: CachedResponse,
) {
  reply.hijack()
  const sent = [...headers, 'x-request-id', request.id]
  if (isNotModified(request, etag)) return void reply.raw.writeHead(304, sent).end()
  const encoding = encodingFor(request, bodies)
  const body = bodies[encoding] ?? bodies.identity
  if (encoding !== 'identity') sent.push('content-encoding', encoding)
  sent.push('content-type', type, 'content-length', String(body.length))
  reply.raw.writeHead(200, sent).end(body)
}

/** Whether a request calls only public reads. */
function isPublicRead({ params, routeOptions: { url } }: FastifyRequest): boolean {
  if (url === '/trpc/:path')
    return (params as { path: string }).path.split(',').every(call => publicReads.has(call))
  return publicReads.has(restCalls.get(url ?? '') ?? '')
}
