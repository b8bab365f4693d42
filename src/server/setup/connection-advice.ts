import type { Deps } from '../kernel/deps.ts'
import { mailInUse } from '../mail/saved-mail.ts'
import { requestOptions } from '../money/payments/stripe.ts'
import { webhookEvents } from '../money/payments/webhook-events.ts'
import { webhookUrl } from './queries.ts'
import { senderAdvice } from './sender-advice.ts'

/**
 * What other machines know that keeps mail or card payments from working, in sentences: the DNS of the sender's domain,
 * and the webhook endpoint (INST-45). Says nothing about what does not answer.
 */
export async function connectionAdvice(deps: Deps): Promise<string[]> {
  const found = await Promise.all([mailAdvice(deps), webhookAdvice(deps).catch(() => [])])
  return found.flat()
}

async function mailAdvice(deps: Deps): Promise<string[]> {
  const { mailFrom, smtpUrl } = deps.config
  const sender = smtpUrl ? { from: mailFrom.address, dkimSelector: '' } : mailInUse(deps)
  return sender ? senderAdvice(deps.mailNetwork, sender) : []
}

async function webhookAdvice(deps: Deps): Promise<string[]> {
  const url = webhookUrl(deps)
  const endpoints = await deps.provider?.stripe.webhookEndpoints.list({ limit: 100 }, requestOptions)
  if (!endpoints) return []
  const endpoint = endpoints.data.find(each => each.url === url)
  if (!endpoint) return [`Stripe has no webhook endpoint for ${url}.`]
  if (endpoint.status !== 'enabled') return [`The webhook endpoint at Stripe is ${endpoint.status}.`]
  const sent = new Set(endpoint.enabled_events)
  const lacking = webhookEvents.filter(event => !sent.has(event) && !sent.has('*'))
  return lacking.length > 0 ? [`The webhook endpoint at Stripe lacks: ${lacking.join(', ')}.`] : []
}
