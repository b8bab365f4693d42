import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { calendarFile, calendarPath } from '../../sandbox/calendar/feed.ts'
import type { SandboxProvider } from '../../sandbox/provider/provider.ts'

/** Mounts the demo's payment provider on the site's port: its API under /v1, its pages under /sandbox. */
export async function mountSandbox(app: FastifyInstance, provider: SandboxProvider): Promise<void> {
  await app.register(async scope => {
    // The provider parses its form-encoded bodies itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    for (const url of ['/v1/*', '/sandbox/pay/*', '/sandbox/receipts/*']) {
      scope.route({
        method: ['GET', 'POST', 'DELETE'],
        url,
        handler: (request, reply) => answer(provider, request, reply),
      })
    }
  })
}

/** Serves the calendar of the demo's fake booking platform. */
export function mountCalendarHost(app: FastifyInstance): void {
  app.get<{ Querystring: { from?: string } }>(calendarPath, (request, reply) => {
    const file = calendarFile(request.query.from ?? '')
    if (file === undefined) return reply.callNotFound()
    return reply.type('text/calendar; charset=utf-8').send(file)
  })
}

async function answer(provider: SandboxProvider, request: FastifyRequest, reply: FastifyReply) {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const body = typeof request.body === 'string' ? request.body : ''
  const response = await provider.handle({ method: request.method, path: request.url, headers, body })
  if (response.hangUp) {
    request.raw.socket.destroy()
    return reply.hijack()
  }
  return reply.status(response.status).headers(response.headers).send(response.body)
}
