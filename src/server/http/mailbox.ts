import type { FastifyInstance } from 'fastify'
import { handleMailbox, mailboxPath } from '../../sandbox/mailbox/pages.tsx'
import type { Mailbox } from '../../sandbox/mailbox/store.ts'
import type { Deps } from '../kernel/deps.ts'
import { currentSite } from '../site/content/published.ts'

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
