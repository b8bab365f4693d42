import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminPassword, tenantPassword } from '../build-account.ts'
import { apply, openPortal, type Portal, scan, signature, waitFor, webhookSecret } from './portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal({ env: { LOG_LEVEL: 'debug' } })
})
afterAll(() => portal.close())

/** A script of the built app, as referenced in its document. */
const scriptOf = (html: string) => /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''

test('every response has the headers that forbid framing, sniffing, inline script and eval', async () => {
  const { text } = await portal.call('GET', '/')
  const paths = [
    '/',
    '/login',
    '/nowhere',
    '/api/health',
    // The second response comes from the cache.
    '/api/rates',
    '/api/rates',
    '/trpc/rates.list',
    '/trpc/rates.list',
    '/api/nowhere',
    '/api/auth/verify',
    '/trpc/site.get',
    '/trpc/nowhere',
    '/api/openapi.json',
    '/api/docs',
    '/calendar/unknown.ics',
    '/calendar/%.ics',
    '/trpc',
    '/%',
    '/%ff',
    '/api/%',
    '/api/application/%',
    '/trpc/%',
    `/api/lease/preview/${'x'.repeat(3000)}`,
    '/favicon.svg',
    '/robots.txt',
    scriptOf(text),
  ]
  for (const path of paths) {
    const { headers } = await portal.call('GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'"
    expect(policy, path).toMatch(/default-src 'none'/)
    expect(policy, path).toMatch(/frame-ancestors 'none'/)
    expect(policy, path).toMatch(/base-uri 'none'/)
    expect(scripts, path).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes|\*|data:|blob:|https?:/)
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('x-frame-options'), path).toBe('DENY')
    expect(headers.get('referrer-policy'), path).toBe('no-referrer')
    expect(headers.get('strict-transport-security'), path).toMatch(/^max-age=\d{8}/)
    expect(headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
    expect(headers.get('x-powered-by'), path).toBeNull()
    expect(headers.get('server'), path).toBeNull()
    expect(headers.get('set-cookie'), path).toBeNull()
  }
  // No inline script except data, and no script from another host.
  const inline = [...text.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(match => match[1] ?? '')
  expect(inline.filter(attributes => !/type="application\/(ld\+)?json"/.test(attributes))).toEqual([])
  expect(
    [...text.matchAll(/<script[^>]*\bsrc="([^"]+)"/g)].filter(match => !match[1]?.startsWith('/')),
  ).toEqual([])
  expect(text).not.toMatch(/\son\w+="/)
})

test('API responses are never stored, pages are revalidated, and hashed files are cached', async () => {
  const cacheOf = async (path: string) => (await portal.call('GET', path)).headers.get('cache-control')
  const { text, headers } = await portal.call('GET', '/')
  for (const path of [
    '/api/health',
    '/api/rates',
    '/api/rates',
    '/trpc/rates.list',
    '/trpc/rates.list',
    '/api/nowhere',
    '/api/auth/profile',
    '/trpc/site.get',
    '/trpc/nowhere',
  ])
    expect(await cacheOf(path), path).toBe('no-store')
  expect(headers.get('cache-control')).toMatch(/no-cache|no-store/)
  expect(await cacheOf('/login')).toMatch(/no-cache|no-store/)
  expect(await cacheOf(scriptOf(text))).toBe('public, max-age=31536000, immutable')
})

test('does not serve the database, backups, .env, sources, source maps or folder listings', async () => {
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, await portal.admin())
  await portal.expectOk(
    portal.call('POST', '/api/lease/upload-signed', { token: tenant.token, raw: scan(id) }),
  )
  const [upload] = readdirSync(join(portal.folder, 'uploads')).filter(name => name.length === 48)
  const { text } = await portal.call('GET', '/')
  const script = scriptOf(text)
  expect([script, upload]).toEqual([expect.stringMatching(/^\//), expect.any(String)])
  const outside = [
    'portal.sqlite',
    'portal.sqlite-wal',
    'db/portal.sqlite',
    'db/schema.ts',
    'backup.tar',
    'backup.zip',
    '.env',
    '.env.production',
    '.git/config',
    'package.json',
    'package-lock.json',
    'server.ts',
    'src/server/kernel/config.ts',
    'dist/server/server.js',
    'server/server.js',
    'uploads/',
    'uploads',
    `uploads/${upload}`,
    String(upload),
    'backups/',
    '.gitkeep',
    'src/web/app/main.tsx',
    'db/migrations/meta/_journal.json',
    'README.md',
    'node_modules/fastify/package.json',
    'tsconfig.json',
    '.vite/manifest.json',
    'index.html',
    'index.html.br',
  ]
  const climbing = outside.flatMap(path => [
    `/${path}`,
    `/../${path}`,
    `/..%2f${path}`,
    `/assets/../../${path}`,
    `/assets/..%2f..%2f${path}`,
    `/assets/%2e%2e/%2e%2e/${path}`,
    `/%2e%2e%2f${path}`,
    `/..%5c${path}`,
  ])
  for (const path of [
    ...climbing,
    `${script}.map`,
    `${script}.br`,
    `${script}.gz`,
    '/assets/',
    '/assets',
    '/.vite/',
    '//etc/passwd',
    '/%00',
  ]) {
    const reply = await portal.call('GET', path)
    // A path that looks like a screen gets the app, which shows its not-found page.
    if (reply.status === 200) expect(reply.headers.get('content-type'), path).toMatch(/^text\/html/)
    if (/\.\w+$/.test(path)) expect(reply.status, path).toBeGreaterThanOrEqual(400)
    expect(reply.text, path).not.toMatch(
      /SQLite format 3|sourcesContent|"dependencies"|DATABASE_FILE|Index of|sqliteTable|root:x:0|\[core\]|%PDF-|createRoot\(|"entries"|^# /,
    )
  }
  expect((await portal.call('GET', script)).text).not.toMatch(/sourceMappingURL/)
})

test('another origin can read nothing', async () => {
  const headers = { origin: 'https://elsewhere.example' }
  const paths: [string, string][] = [
    ['GET', '/api/rates'],
    ['GET', '/trpc/site.get'],
    ['GET', '/'],
    ['POST', '/api/auth/login'],
    ['OPTIONS', '/api/auth/login'],
    ['OPTIONS', '/trpc/accounts.login'],
  ]
  for (const [method, path] of paths) {
    const asked =
      method === 'OPTIONS'
        ? {
            ...headers,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization',
          }
        : headers
    const reply = await portal.call(method, path, { headers: asked })
    expect(
      [...reply.headers.keys()].filter(name => name.startsWith('access-control-')),
      path,
    ).toEqual([])
    if (method === 'OPTIONS') expect(reply.status).toBeGreaterThanOrEqual(400)
  }
  // A form of another origin, which needs no preflight, is not parsed as JSON.
  const raw = '{"email":"eve@guest.example"}'
  for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
    await portal.expectRejected(415, () =>
      portal.call('POST', '/api/auth/forgot-password', {
        raw,
        headers: { ...headers, 'content-type': type },
      }),
    )
})

test('neither responses nor logs contain stacks, SQL, tokens, passwords or personal data', async () => {
  const secrets: string[] = [
    tenantPassword,
    adminPassword,
    webhookSecret,
    'sk_test_of_the_wire',
    'maya-log',
    'Rivers',
    '850-555-0142',
    '12 Pine Street',
    'signed lease.pdf',
  ]
  const tenant = await portal.tenant({ email: 'maya-log@guest.example' })
  const admin = await portal.admin()
  secrets.push(tenant.token, admin.token)
  const { id } = await apply(portal, tenant, admin)
  await portal.call('POST', '/api/lease/upload-signed', {
    token: tenant.token,
    raw: scan(id, { content: Buffer.from('x') }),
  })
  await portal.expectOk(
    portal.call('POST', `/api/lease/sign/${id}`, { token: tenant.token, body: signature() }),
  )
  await portal.call('GET', `/api/application/admin/all?search=maya-log`, { token: admin.token })
  await portal.call('GET', `/reset-password?token=${tenant.token}`)
  await portal.call('POST', '/api/auth/login', { body: { email: tenant.email, password: 'Rivers-wrong' } })
  await portal.call('POST', '/api/auth/forgot-password', { body: { email: tenant.email } })
  const link = await portal.mailedLink(tenant.email)
  secrets.push(link.searchParams.get('token') ?? '')
  await portal.call('POST', '/api/auth/login', { body: `{"email":"${tenant.email}", "password": "Rivers` })

  // Breaks the database: an unexpected failure in reading and writing while personal data is processed.
  portal.database(db =>
    db.exec('alter table users rename to people; alter table applications rename to stays'),
  )
  const broken = [
    await portal.call('POST', '/api/auth/login', { body: { email: tenant.email, password: tenantPassword } }),
    await portal.mutate('accounts.register', {
      body: {
        firstName: 'Maya',
        lastName: 'Rivers',
        email: 'maya-log-2@guest.example',
        password: tenantPassword,
      },
    }),
    await portal.call('GET', '/api/availability?startDate=2026-01-01&endDate=2026-02-01'),
    await portal.query('availability.range', { body: { startDate: '2026-01-01', endDate: '2026-02-01' } }),
  ]
  portal.database(db =>
    db.exec('alter table people rename to users; alter table stays rename to applications'),
  )
  for (const { status, body, text } of broken) {
    expect(status).toBe(500)
    expect(body.error.message ?? body.error).toBe('Something went wrong. Please try again.')
    const requestId = body.requestId ?? body.error.data.requestId
    await waitFor(() => portal.site.output().includes(requestId) || undefined)
    expect(text).not.toMatch(/select|insert|SQLITE|no such table|at \w+ \(|\.ts:|\.js:|node_modules/i)
  }
  // The startup message is meant for the owner; everything else is a line of JSON.
  const lines = portal.site.output().split('\n')
  const log = lines.filter(line => line.startsWith('{')).join('\n')
  expect(log).toContain('"msg":"request failed"')
  const requests = log.split('\n').flatMap(line => {
    const { msg, requestId } = JSON.parse(line)
    return msg === 'request' ? [requestId] : []
  })
  expect(log).toContain('"route":"/api/lease/sign/:id"')
  expect(new Set(requests).size).toBe(requests.length)
  for (const secret of secrets) expect(log.includes(secret), `the log holds ${secret}`).toBe(false)
})

test.each([
  ['POST', '/v1/checkout/sessions'],
  ['GET', '/v1/checkout/sessions/cs_test_x'],
  ['POST', '/v1/refunds'],
  ['GET', '/sandbox/pay/cs_test_x'],
  ['POST', '/sandbox/pay/cs_test_x'],
  ['GET', '/sandbox/receipts/ch_x'],
  ['GET', '/sandbox/calendar/airbnb.ics?from=2026-06-01'],
  ['GET', '/sandbox/mailbox'],
  ['GET', '/sandbox/mailbox/1'],
] as const)('responds with 404 in production to %s %s', async (method, path) => {
  expect((await portal.call(method, path)).status).toBe(404)
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
