import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../kernel/deps.ts'
import { receiveEvent } from '../money/payments/reconcile/provider-events.ts'
import { receiveBody } from './receive-body.ts'

const webhookLimitBytes = 512 * 1024

/** Mounts the provider's webhook. The body is not parsed, because the signature covers its raw bytes. */
export function mountWebhook(app: FastifyInstance, deps: Deps): void {
  app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request: FastifyRequest, payload: IncomingMessage) =>
      receiveBody(request, payload, webhookLimitBytes, { sender: { role: 'webhook' } }),
    )
    scope.post('/api/payment/webhook', async request => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const signature = request.headers['stripe-signature']
      await receiveEvent(deps, body, typeof signature === 'string' ? signature : undefined)
      return { received: true }
    })
  })
}
