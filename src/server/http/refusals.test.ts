import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { expect, test } from 'vitest'
import { tokenOf } from '../../testing/build-lease.ts'
import { testApp } from '../../testing/test-app.ts'
import type { AppRouter } from '../root-router.ts'

const json = { 'content-type': 'application/json' }
const long = 'x'.repeat(101 * 1024)
const procedure = '/trpc/accounts.login?batch=1'

/** Requests that are rejected before any procedure or route runs, and the expected responses. */
const refusals = [
  { headers: json, body: '{', status: 400, sentence: 'This request could not be read.' },
  { headers: json, body: '{"__proto__":{}}', status: 400, sentence: 'This request could not be read.' },
  { headers: json, body: JSON.stringify({ long }), status: 413, sentence: 'This is too large.' },
  { headers: json, body: long.repeat(30), status: 413, sentence: 'This is too large.' },
  {
    headers: { 'content-type': 'text/plain' },
    body: 'x',
    status: 415,
    sentence: 'This kind of content is not accepted here.',
  },
] as const

test.each(refusals)(
  'a $status from a procedure path is an error that the tRPC client can parse',
  async refusal => {
    const { body, headers, sentence, status } = refusal
    const app = await testApp()
    const url = `${await app.listen()}/trpc`
    const client = createTRPCClient<AppRouter>({
      links: [
        httpBatchLink({ url, fetch: (address, init) => fetch(address, { ...init, headers, body }) as never }),
      ],
    })
    const ask = () => client.accounts.login.mutate({ email: 'maya@guest.example', password: 'x' })
    // Alone, and in a batch with another call.
    for (const failed of [
      ...(await Promise.allSettled([ask()])),
      ...(await Promise.allSettled([ask(), ask()])),
    ]) {
      if (failed.status === 'fulfilled') throw new Error('it was answered')
      expect(failed.reason).toBeInstanceOf(TRPCClientError)
      expect(failed.reason).toMatchObject({ message: sentence, data: { httpStatus: status } })
      expect(failed.reason.data.requestId).toEqual(expect.any(String))
    }
  },
)

test('the same errors over REST have the REST format', async () => {
  const { http } = await testApp()
  for (const { body, headers, status } of refusals) {
    const reply = await http.inject({ method: 'POST', url: '/api/auth/login', headers, payload: body })
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toEqual({ error: expect.any(String), requestId: expect.any(String) })
  }
})

test('returns 404 for a missing resource in the format of each kind of path', async () => {
  const { http } = await testApp()
  const unreadable = ['%', '%zz', '%ff', 'x'.repeat(5000)]
  for (const path of ['/api', '/api/nowhere', ...unreadable.map(part => `/api/application/${part}`)]) {
    const reply = await http.inject(path)
    expect(reply.statusCode, path).toBe(404)
    expect(reply.json()).toEqual({ error: 'Not found', requestId: reply.headers['x-request-id'] })
  }
  for (const path of ['/trpc', '/trpc/', '/trpc/nowhere', ...unreadable.map(part => `/trpc/${part}`)]) {
    const reply = await http.inject(path)
    expect(reply.statusCode, path).toBe(404)
    expect(reply.json().error).toMatchObject({
      message: 'Not found',
      data: { code: 'NOT_FOUND', httpStatus: 404 },
    })
    expect(reply.headers['x-content-type-options']).toBe('nosniff')
    expect(reply.headers['cache-control']).toBe('no-store')
  }
  expect(
    (await http.inject({ method: 'POST', url: procedure, headers: json, payload: '{' })).headers,
  ).toMatchObject({
    'cache-control': 'no-store',
  })
})

test('the demo rejects requests to unknown host names and requests through a proxy', async () => {
  const { http } = await testApp({ env: { DEMO_HOSTS: 'condo.local' } })
  const status = async (url: string, headers: Record<string, string>) =>
    (await http.inject({ url, headers })).statusCode
  const strange = [
    { host: 'evil.example' },
    { host: 'evil.example:3000' },
    { 'x-forwarded-for': '203.0.113.7' },
  ]
  const proxied = ['forwarded', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
  for (const url of ['/api/health', '/trpc/site.get', '/api/auth/profile', '/calendar/a.ics', '/nowhere'])
    for (const headers of [...strange, ...proxied.map(name => ({ [name]: 'x' }))])
      expect(await status(url, headers as Record<string, string>), url).toBe(403)
  for (const host of ['localhost', 'LOCALHOST:3000', '127.0.0.1:3000', '[::1]:3000', 'condo.local'])
    expect(await status('/api/health', { host }), host).toBe(200)
  const refused = await http.inject({ url: '/trpc/site.get', headers: { via: '1.1 proxy' } })
  expect(refused.json().error.message).toContain(
    'came through a proxy (via). For whoever runs the server: set NODE_ENV=production',
  )
})

test.each(['/%61pi/auth/profile', '/%74rpc/accounts.profile'])(
  'an answer of the API has an ETag and is not stored, also where its path is encoded: %s',
  async url => {
    const app = await testApp()
    const authorization = `Bearer ${await tokenOf(app, await app.makeTenant())}`
    const { headers, statusCode } = await app.http.inject({ url, headers: { authorization } })
    expect({ statusCode, cache: headers['cache-control'] }).toEqual({ statusCode: 200, cache: 'no-store' })
    expect(headers.etag).toBeDefined()
    const refused = await app.http.inject(url)
    expect([refused.statusCode, refused.headers['cache-control']]).toEqual([401, 'no-store'])
  },
)
