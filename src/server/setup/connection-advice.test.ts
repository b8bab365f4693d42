import { expect, test } from 'vitest'
import { fakeNetwork, setupApp, startMailServer, turnMailOn } from '../../testing/build-setup.ts'
import { startProvider } from '../../testing/provider.ts'
import { testNow } from '../../testing/test-app.ts'
import { connectionAdvice } from './connection-advice.ts'

const port = 4684

test('the records of the sender and the webhook endpoint at Stripe are looked at, and what lacks is said [INST-45]', async () => {
  const provider = await startProvider({
    now: () => new Date(testNow),
    webhookUrl: () => 'http://127.0.0.1:9/',
    webhookSecret: 'whsec_of_nobody',
  })
  const dns: Record<string, string[]> = {}
  const app = await setupApp({
    env: { STRIPE_API_BASE: provider.url },
    mailNetwork: fakeNetwork(port, dns),
  })
  expect(await connectionAdvice(app.deps)).toEqual([])

  await turnMailOn(app, await startMailServer(port))
  const secrets = { secretKey: 'sk_test_of_the_site_1234', webhookSecret: 'whsec_by_hand' }
  await app.setup.saveStripe({ version: 0, body: { publishableKey: 'pk_test_of_the_site' }, secrets })
  const url = 'https://condo.example/api/payment/webhook'
  expect(await connectionAdvice(app.deps)).toEqual([
    'condo.example has no SPF record.',
    'condo.example has no DMARC record.',
    'There is no DKIM key at k1._domainkey.condo.example.',
    `Stripe has no webhook endpoint for ${url}.`,
  ])
  dns['condo.example'] = ['v=spf1 -all']
  dns['_dmarc.condo.example'] = ['v=DMARC1; p=none']
  dns['k1._domainkey.condo.example'] = ['p=MIIB']
  const { stripe } = app.deps.provider ?? {}
  const made = await stripe?.webhookEndpoints.create({ url, enabled_events: ['charge.refunded'] })
  const [lacks = ''] = await connectionAdvice(app.deps)
  expect(lacks).toMatch(/^The webhook endpoint at Stripe lacks: checkout\.session\.completed, /)
  expect(lacks).not.toContain('charge.refunded')
  await stripe?.webhookEndpoints.del(made?.id ?? '')
  await stripe?.webhookEndpoints.create({ url, enabled_events: ['*'] })
  expect(await connectionAdvice(app.deps)).toEqual([])
  await provider.close()
  expect(await connectionAdvice(app.deps)).toEqual([])
})
