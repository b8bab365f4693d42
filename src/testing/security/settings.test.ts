import { readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scanPdf } from '../build-lease.ts'
import { apply, checkout, openPortal, type Portal, scan, signature } from './portal.ts'

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

test('files are readable only by their owner, have random names, and are in folders with the same restriction', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, await portal.admin())
  await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, body: signature() }),
  )
  const folder = join(portal.folder, 'uploads')
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const modes = entries.map(entry => {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
    return entry.isFile() ? [/^([\da-f]{48}|store-id)$/.test(entry.name), mode] : ['folder', mode]
  })
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(new Set(modes.map(String))).toEqual(new Set([`true,${0o600}`, `folder,${0o700}`]))
  const database = statSync(join(portal.folder, 'portal.sqlite')).mode & 0o077
  expect(database).toBe(0)
})

test('allows only the provider’s script host, and only if its script is used', async () => {
  const policyOf = async (path: string) =>
    (await portal.call('GET', path)).headers.get('content-security-policy') ?? ''
  const policy = await policyOf('/payment')
  expect(policy).toMatch(/script-src 'self' https:\/\/js\.stripe\.com;/)
  expect(policy.match(/https?:[^ ;]*/g)?.toSorted()).toEqual([
    'https://api.stripe.com',
    'https://js.stripe.com',
    'https://js.stripe.com',
  ])
  const without = await openPortal()
  try {
    const { headers } = await without.call('GET', '/payment')
    expect(headers.get('content-security-policy')).not.toMatch(/https?:/)
  } finally {
    await without.close()
  }
})

test('waits ten seconds for a silent provider and retries once, not longer', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  const address = silent.address()
  const port = address && typeof address === 'object' ? address.port : 0
  const site = await openPortal({ env: { STRIPE_API_BASE: `http://127.0.0.1:${port}` } })
  try {
    const { token } = await site.tenant()
    const asked = performance.now()
    const reply = await site.call('POST', '/api/payment/create-checkout-session', { token, body: checkout() })
    const seconds = (performance.now() - asked) / 1000
    expect(reply.status).toBe(502)
    expect(reply.body.error).toBe('Failed to create checkout session')
    expect(seconds).toBeGreaterThan(9)
    expect(seconds).toBeLessThan(25)
  } finally {
    await site.close()
    silent.close()
  }
})
