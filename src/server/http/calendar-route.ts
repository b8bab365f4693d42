import type { FastifyInstance } from 'fastify'
import { readCalendarFile } from '../bookings/calendars/calendar-file.ts'
import type { Deps } from '../kernel/deps.ts'
import { etagOf, isNotModified } from './encodings.ts'

/** Serves the exported calendars: anyone with the URL may read one (CAL-50, CAL-55). Fastify adds HEAD to GET. */
export function mountCalendars(app: FastifyInstance, deps: Deps): void {
  app.get<{ Params: { token: string } }>('/calendar/:token.ics', async (request, reply) => {
    reply.header('X-Robots-Tag', 'noindex').header('Cache-Control', 'private, no-cache')
    await deps.limits.consume('calendarByAddress', request.ip)
    // A person who looks at the address in a browser is not the platform (CAL-47).
    const isPerson = request.headers.accept?.includes('text/html') ?? false
    const agent = request.method === 'GET' && !isPerson ? (request.headers['user-agent'] ?? '') : null
    const calendar = await readCalendarFile(deps, request.params.token, agent)
    if (calendar === undefined)
      return reply.status(404).type('text/plain; charset=utf-8').send('There is no calendar here.\n')
    const { answered, file } = calendar
    // Until then it may still be refused, or the connection be lost.
    reply.raw.once('finish', () => {
      const wasRead = reply.raw.statusCode === 200 || reply.raw.statusCode === 304
      if (wasRead) answered().catch(error => deps.log.error({ err: error }, 'a fetch was not recorded'))
    })
    const etag = etagOf(file)
    reply.header('ETag', etag)
    if (isNotModified(request, etag)) return reply.status(304).send()
    return reply.type('text/calendar; charset=utf-8').send(file)
  })
}
