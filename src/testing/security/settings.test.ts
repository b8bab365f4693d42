import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanPdf } from '../build-lease.ts'
import { apply, openPortal, type Portal, scan } from './portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal({ env: { STRIPE_PUBLISHABLE_KEY: 'pk_test_of_the_wire' } })
})
afterAll(() => portal.close())

const json = { 'content-type': 'application/json' }

test('accepts bodies up to the limits: 100 KB of JSON, 2 MB for a signature, 512 KB for the webhook, 10 MB for a scan', async () => {
  const padded = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`
  const post = (path: string, raw: string, token?: string) =>
    portal.expectRejected([400, 401], () =>
      portal.call('POST', path, { raw, headers: json, ...(token && { token }) }),
    )
  for (const path of ['/api/auth/login', '/trpc/accounts.login']) await post(path, padded(100 * 1024))
  for (const path of ['/api/lease/sign/x', '/trpc/leases.sign']) await post(path, padded(2 * 1024 * 1024))
  const { body } = await post('/api/payment/webhook', padded(512 * 1024))
  expect(body.error).toMatch(/signature/)
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, await portal.admin())
  const raw = scan(id, { content: scanPdf(10_485_760) })
  await portal.expectOk(portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw }))
})

test('allows only the provider’s script host, and no other', async () => {
  const policyOf = async (path: string) =>
    (await portal.call('GET', path)).headers.get('content-security-policy') ?? ''
  const policy = await policyOf('/payment')
  expect(policy).toMatch(/script-src 'self' https:\/\/js\.stripe\.com;/)
  expect(policy.match(/https?:[^ ;]*/g)?.toSorted()).toEqual([
    'https://api.stripe.com',
    'https://js.stripe.com',
    'https://js.stripe.com',
  ])
})
