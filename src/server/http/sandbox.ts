import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { calendarFile, calendarPath } from '../../sandbox/calendar-feed.ts'
import { handleMailbox, mailboxPath } from '../../sandbox/mailbox/pages.tsx'
import type { Mailbox } from '../../sandbox/mailbox/store.ts'
import type { SandboxProvider } from '../../sandbox/provider/provider.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'

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

/** Serves the pages of the demo's mailbox, which production does not have. */
export function mountMailbox(app: FastifyInstance, mailbox: Mailbox, deps: Deps): void {
  if (!deps.config.mailbox) throw new Error('The embedded mailbox belongs to the demo.')
  for (const url of [mailboxPath, `${mailboxPath}/*`]) {
    app.get(url, (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      const answer = handleMailbox(mailbox, path, currentSite(deps))
      return reply.status(answer.status).headers(answer.headers).send(answer.body)
    })
  }
}
