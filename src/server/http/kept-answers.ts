import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.ts'
import { isApi } from './app.ts'
import { etagOf, hasAlready } from './etag.ts'
import { restRows } from './rest-table.ts'

/** What is the same for everybody, and depends on nothing but the database. */
const publicReads = ['rates.list', 'availability.range']
const publicPaths = restRows.filter(row => publicReads.includes(row.call)).map(row => row.path)
const mostKept = 100

type Kept = { version: string; etag: string; type: string; payload: string }

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
    if (known?.version === version)
      return reply.type(known.type).header('ETag', known.etag).send(known.payload)
    versions.set(request, version)
    done()
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 200 || request.method !== 'GET' || typeof payload !== 'string') return done()
    if (!isApi(request.url)) return done()
    let etag = reply.getHeader('ETag')
    if (typeof etag !== 'string') {
      etag = etagOf(payload)
      reply.header('ETag', etag)
      const version = versions.get(request)
      if (version !== undefined) {
        kept.delete(request.url)
        const [oldest] = kept.keys()
        if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
        kept.set(request.url, { version, etag, type: String(reply.getHeader('Content-Type')), payload })
      }
    }
    if (!hasAlready(request, etag)) return done()
    reply.status(304).removeHeader('Content-Type').removeHeader('Content-Length')
    done(null, null)
  })
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
