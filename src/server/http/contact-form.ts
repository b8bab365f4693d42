import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/common/errors.ts'
import { type ContactReply, contactMessages } from '../../domain/content/contact-messages.ts'
import type { Deps } from '../kernel/deps.ts'
import { describeError } from '../kernel/trpc.ts'
import { createCaller } from '../root-router.ts'
import { createContextProvider } from './context.ts'
import { sendPlainPage } from './preview.ts'
import { receiveBody } from './receive-body.ts'

/** Five times the longest message, in percent encoding. */
const maxFormBytes = 64 * 1024

/**
 * Sends the contact form of a browser without our script, or before it has loaded (LOOK-93), through the same procedure.
 * The response is the page with the outcome and, after a refusal, with what was typed.
 */
export async function mountContactForm(
  app: FastifyInstance,
  deps: Deps,
  isBusy: () => boolean,
  render: (reply: ContactReply) => Promise<string>,
): Promise<void> {
  const getContext = createContextProvider(deps)
  const send = async (request: FastifyRequest, reply: FastifyReply): Promise<ContactReply> => {
    const values = request.body as Record<string, string>
    try {
      // The procedure checks them.
      await createCaller(await getContext(request)).contact.send(values as never)
      return { sent: true }
    } catch (error) {
      const { expected, message, retryAfterSeconds, status } = describeError(error)
      if (!expected) request.log.error({ err: error, requestId: request.id }, 'request failed')
      if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
      reply.status(status)
      return { error: message, values }
    }
  }
  await app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (request: FastifyRequest, payload: IncomingMessage) => {
        const ready = async () => (await getContext(request)).bookTurns?.(1)
        const body = await receiveBody(request, payload, maxFormBytes, { ready })
        return Object.fromEntries(new URLSearchParams(body.toString()))
      },
    )
    scope.post('/contact', async (request, reply) => {
      if (isFromElsewhere(request)) throw new AppError('forbidden', 'Please use the form on our own site.')
      // Each response renders a page, so a flood of refused forms would take all the processor time.
      const beyond = await deps.limits.count('contactFormByAddress', request.ip)
      if (beyond > 0) {
        reply.status(429).header('Retry-After', '600')
        return sendPlainPage(reply, 'Contact', 'Too many attempts. Please wait ten minutes and try again.')
      }
      const outcome = await send(request, reply)
      if (isBusy())
        return sendPlainPage(reply, 'Contact', contactMessages['sent' in outcome ? 'sent' : 'failed'])
      return reply
        .header('Cache-Control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(await render(outcome))
    })
  })
}

/** Whether another site's page sent the form, which would use its visitors' addresses against the limits. */
function isFromElsewhere({ headers }: FastifyRequest): boolean {
  const from = headers['sec-fetch-site']
  return from !== undefined && from !== 'same-origin'
}
