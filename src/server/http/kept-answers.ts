import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { isApi } from './app.ts'
import { etagOf, hasAlready } from './etag.ts'
import { restRows } from './rest-table.ts'

/** What is the same for everybody, and depends on nothing but the database. */
const publicReads = ['rates.list', 'availability.range']
const publicPaths = restRows.filter(row => publicReads.includes(row.call)).map(row => row.path)
const mostKept = 100

type Kept = { version: string; etag: string; type: string; payload: Buffer }

/**
 * Keeps the answers of public reads until the next write of whoever, and gives every answer of the interface a name by
 * its content: who has it already gets 304 and no body, which is what most polls come to.
 */
export function keepAnswers(app: FastifyInstance, { dataVersion }: Pick<Deps, 'dataVersion'>): void {
  const kept = new Map<string, Kept>()
  /** Noted before the data are read, so that a write in between is seen the next time. */
  const versions = new WeakMap<FastifyRequest, string>()

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'GET' || !(kept.has(request.url) || isPublicRead(request.url))) return done()
    const version = dataVersion()
    const known = kept.get(request.url)
    if (known?.version === version) {
      reply.header('ETag', known.etag)
      return hasAlready(request, known.etag)
        ? reply.status(304).send()
        : reply.type(known.type).send(known.payload)
    }
    versions.set(request, version)
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || request.method !== 'GET' || typeof payload !== 'string') return done()
    if (!isApi(request.url)) return done()
    const etag = etagOf(payload)
    reply.header('ETag', etag)
    // Node writes bytes much faster than a long text.
    const bytes = Buffer.from(payload)
    const version = versions.get(request)
    if (version !== undefined)
      keep(request.url, { version, etag, type: String(reply.getHeader('Content-Type')), payload: bytes })
    if (!hasAlready(request, etag)) return done(null, bytes)
    reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
    done(null, null)
  })

  function keep(url: string, answer: Kept): void {
    kept.delete(url)
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(url, answer)
  }
}

function isPublicRead(url: string): boolean {
  const [path = ''] = url.split('?', 1)
  if (publicPaths.includes(path)) return true
  return (
    path.startsWith('/trpc/') &&
    path
      .slice('/trpc/'.length)
      .split(',')
      .every(name => publicReads.includes(name))
  )
}
