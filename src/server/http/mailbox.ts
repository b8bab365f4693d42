import type { FastifyInstance } from 'fastify'
import { answerMailbox, mailboxPath } from '../../sandbox/mailbox/pages.tsx'
import type { Mailbox } from '../../sandbox/mailbox/store.ts'
import type { Config } from '../kernel/config.ts'

/** Serves the pages of the demo's mailbox; in production there is none to serve. */
export function mountMailbox(app: FastifyInstance, mailbox: Mailbox, config: Config): void {
  if (!config.mailbox) throw new Error('The embedded mailbox belongs to the demo.')
  for (const url of [mailboxPath, `${mailboxPath}/*`]) {
    app.get(url, (request, reply) => {
      const path = request.url.split('?')[0] ?? ''
      const answer = answerMailbox(mailbox, path, config.site)
      return reply.status(answer.status).headers(answer.headers).send(answer.body)
    })
  }
}
