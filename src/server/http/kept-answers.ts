import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { type ContextOf, isApi } from './app.ts'
import { etagOf, hasAlready } from './etag.ts'
import { restRows } from './rest-table.ts'

/** What is the same for everybody, and depends on nothing but the database. */
const publicReads = ['rates.list', 'availability.range']
/** What depends on nothing but the database and on who asks. */
const ownReads = [...publicReads, 'applications.status', 'applications.get', 'leases.status']
const restCalls = new Map(
  restRows.filter(({ method }) => method === 'GET').map(({ path, call }) => [path, call]),
)
const mostKept = 100
const mostKnown = 5000

type Kept = { version: string; etag: string; type: string; headers: string[]; payload: Buffer }
type Known = { version: string; etag: string }

/**
 * Keeps the answers of public reads until the next write of whoever, and gives every answer of the interface a name by
 * its content: who has it already gets 304 and no body, which is what most polls come to. Those of the screens that
 * stay open are not even looked up again before the next write.
 */
export function keepAnswers(
  app: FastifyInstance,
  { dataVersion }: Pick<Deps, 'dataVersion'>,
  contextOf: ContextOf,
): void {
  const kept = new Map<string, Kept>()
  const known = new Map<string, Known>()
  /** Noted before the data are read, so that a write in between is seen the next time. */
  const versions = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', (request, reply, done) => {
    const calls = request.method === 'GET' ? callsOf(request) : undefined
    if (!calls || !areAmong(ownReads, calls)) return done()
    const version = dataVersion()
    const answer = kept.get(request.url)
    if (answer?.version === version) {
      // Past the rest of the framework, which would put the same headers together again.
      reply.hijack()
      const headers = [...answer.headers, 'x-request-id', request.id]
      if (hasAlready(request, answer.etag)) reply.raw.writeHead(304, headers).end()
      else
        reply.raw
          .writeHead(200, [
            ...headers,
            'content-type',
            answer.type,
            'content-length',
            String(answer.payload.length),
          ])
          .end(answer.payload)
      return
    }
    versions.set(request, version)
    if (request.headers['if-none-match'] === undefined || areAmong(publicReads, calls)) return done()
    contextOf(request).then(({ sessionId }) => {
      const last = known.get(`${sessionId} ${request.url}`)
      if (sessionId === undefined || last?.version !== dataVersion() || !hasAlready(request, last.etag))
        return done()
      void reply.header('ETag', last.etag).status(304).send()
    }, done)
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || request.method !== 'GET' || typeof payload !== 'string') return done()
    if (!isApi(request.url)) return done()
    const etag = etagOf(payload)
    reply.header('ETag', etag)
    // Node writes bytes much faster than a long text.
    const bytes = Buffer.from(payload)
    const finish = () => {
      if (!hasAlready(request, etag)) return done(null, bytes)
      reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
      done(null, null)
    }
    const version = versions.get(request)
    if (version === undefined) return finish()
    if (areAmong(publicReads, callsOf(request) ?? [])) {
      const { 'x-request-id': _, 'content-type': type, 'content-length': __, ...headers } = reply.getHeaders()
      const sent = Object.entries({ ...headers, 'cache-control': 'no-store' })
      add(kept, mostKept, request.url, {
        version,
        etag,
        type: String(type),
        headers: sent.flatMap(([name, value]) => [name, String(value)]),
        payload: bytes,
      })
      return finish()
    }
    contextOf(request).then(({ sessionId }) => {
      if (sessionId !== undefined) add(known, mostKnown, `${sessionId} ${request.url}`, { version, etag })
      finish()
    }, done)
  })
}

/** The procedures that a request calls. */
function callsOf({ params, routeOptions: { url } }: FastifyRequest): string[] | undefined {
  if (url === '/trpc/:path') return (params as { path: string }).path.split(',')
  const call = restCalls.get(url ?? '')
  return call === undefined ? undefined : [call]
}

const areAmong = (reads: readonly string[], calls: readonly string[]) =>
  calls.every(call => reads.includes(call))

/** The one that was read longest ago goes. */
function add<Value>(values: Map<string, Value>, most: number, key: string, value: Value): void {
  values.delete(key)
  const [oldest] = values.keys()
  if (values.size >= most && oldest !== undefined) values.delete(oldest)
  values.set(key, value)
}
