import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apply, openPortal, type Portal, signature } from './portal.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
})
afterAll(() => portal.close())

test('cuts off slow headers, and stays fast despite slow bodies and 200 idle sockets', async () => {
  const open = (first: string) =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect(portal.port, 'localhost', () => {
        socket.write(first)
        resolve(socket)
      })
      socket.on('error', reject)
      socket.resume()
    })
  const many = (count: number, first: string) => Promise.all(Array.from({ length: count }, () => open(first)))
  const idle = await many(200, '')
  const headers = await many(50, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  const bodies = await many(
    50,
    'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
  )
  const started = performance.now()
  const cutAfter = headers.map(
    socket =>
      new Promise<number>(resolve => socket.once('close', () => resolve(performance.now() - started))),
  )
  const drip = setInterval(() => {
    for (const socket of [...headers, ...bodies]) if (socket.writable) socket.write('x')
  }, 1000)
  const times: number[] = []
  const isCut = Promise.all(cutAfter).then(() => true)
  while (!(await Promise.race([isCut, new Promise(resolve => setTimeout(resolve, 100))]))) {
    const asked = performance.now()
    expect((await portal.call('GET', '/api/health')).status).toBe(200)
    times.push(performance.now() - asked)
  }
  clearInterval(drip)
  for (const socket of [...idle, ...headers, ...bodies]) socket.destroy()
  const last = Math.max(...(await Promise.all(cutAfter)))
  expect(last).toBeGreaterThan(8_000)
  expect(last).toBeLessThan(18_000)
  expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(250)
})

test('limits bodies: 100 KB of JSON, 2 MB for a signature, 512 KB for the webhook, and only JSON for procedures', async () => {
  const json = (bytes: number) => JSON.stringify({ email: 'x'.repeat(bytes - 12) })
  for (const path of [
    '/api/auth/login',
    '/trpc/accounts.login',
    '/trpc/accounts.login?batch=1',
    '/api/application',
    '/trpc/applications.create',
  ])
    for (const raw of [json(101 * 1024), json(3 * 1024 * 1024)])
      await portal.expectRejected(413, () =>
        portal.call('POST', path, { raw, headers: { 'content-type': 'application/json' } }),
      )
  const { token } = await portal.tenant()
  for (const path of ['/api/lease/sign/x', '/trpc/leases.sign']) {
    const ask = (raw: string, who?: string) => () =>
      portal.call('POST', path, { token: who, raw, headers: { 'content-type': 'application/json' } })
    await portal.expectRejected(401, ask(json(1024 * 1024)))
    await portal.expectRejected([400, 404], ask(json(1024 * 1024), token))
    await portal.expectRejected(413, ask(json(3 * 1024 * 1024), token))
  }
  const form = new FormData()
  form.set('email', 'x'.repeat(1024 * 1024))
  for (const raw of [
    form,
    new URLSearchParams({ email: 'x' }),
    new Blob(['x'], { type: 'application/octet-stream' }),
    new Blob(['<x/>'], { type: 'text/xml' }),
  ])
    for (const path of ['/api/auth/login', '/trpc/accounts.login'])
      await portal.expectRejected(415, () => portal.call('POST', path, { raw }))
  for (const raw of ['{', '[1,2', 'null', '"x"', '[]', '{"email":"x",}', '\u0000'])
    for (const path of ['/api/auth/login', '/trpc/accounts.login'])
      await portal.expectRejected(400, () =>
        portal.call('POST', path, { raw, headers: { 'content-type': 'application/json' } }),
      )
})

test('a client that is still sending a refused body gets the reason, not a cut connection', async () => {
  const send = () =>
    fetch(`${portal.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'x'.repeat(3 * 1024 * 1024) }),
    }).then(({ status }) => status)
  for (let n = 0; n < 30; n++) expect(await send()).toBe(413)
})

test('refuses a batch that contains a signature and another call before running any of it [FIX-19]', async () => {
  const admin = await portal.admin()
  const tenant = await portal.tenant()
  const { id } = await apply(portal, tenant, admin)
  const { token } = tenant
  const batchWith = (names: string[], query = '?batch=1') => {
    const body = Object.fromEntries(names.map((_, at) => [at, { id, ...signature() }]))
    return () => portal.mutate(`${names.join(',')}${query}`, { token, body })
  }
  for (const names of [
    Array(10).fill('leases.sign'),
    ['leases.sign', 'leases.sign'],
    ['leases.preview', 'leases.sign'],
    ['leases.sign', 'accounts.logout'],
    ['leases%2Esign', 'leases.sign'],
  ]) {
    const { body } = await portal.expectRejected(400, batchWith(names))
    expect(body.error.message).toBe('One of these calls cannot be part of a batch.')
  }
  await portal.expectOk(batchWith(['leases.sign'])())
})

test('rejects a large body with many values instead of an image, and without a session any large body [FIX-19]', async () => {
  const { token } = await portal.tenant()
  const bodies = [
    `{"id":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
    `{"id":"x","typedName":[${'{"a":1},'.repeat(200_000).slice(0, -1)}]}`,
    `{${Array.from({ length: 100_000 }, (_, at) => `"a${at}":""`).join()}}`,
  ]
  for (const raw of bodies)
    for (const path of ['/api/lease/sign/x', '/trpc/leases.sign', '/trpc/leases.sign?batch=1'])
      for (const who of [undefined, token])
        await portal.expectRejected(who ? 413 : 401, () =>
          portal.call('POST', path, {
            token: who,
            raw,
            headers: { 'content-type': 'application/json' },
          }),
        )
})

test('queues concurrent PDFs up to a limit, responds with 503 and Retry-After beyond it, and recovers [FIX-19]', async () => {
  const admin = await portal.admin()
  const people = await Promise.all(
    [1, 2].map(async () => {
      const tenant = await portal.tenant()
      return { ...tenant, ...(await apply(portal, tenant, admin)), token: tenant.token }
    }),
  )
  const download = ({ id, token }: (typeof people)[number]) =>
    portal.call('GET', `/api/lease/download?applicationId=${id}`, { token })
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) => download(people[at % 2] as (typeof people)[number])),
  )
  const [drawn, refused] = [200, 503].map(status => replies.filter(reply => reply.status === status))
  expect((drawn?.length ?? 0) + (refused?.length ?? 0)).toBe(30)
  expect(drawn?.length).toBeGreaterThanOrEqual(20)
  expect(drawn?.every(({ text }) => text.startsWith('%PDF-'))).toBe(true)
  expect(refused?.length).toBeGreaterThan(0)
  expect(refused?.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true)
  expect((await download(people[0] as (typeof people)[number])).status).toBe(200)
})

test('on SIGTERM during PDF rendering, each request gets a complete PDF or a 503, and the process exits cleanly [FIX-19]', async () => {
  const ending = await openPortal()
  try {
    const admin = await ending.admin()
    const tenant = await ending.tenant()
    const { id } = await apply(ending, tenant, admin)
    const download = () =>
      ending.call('GET', `/api/lease/download?applicationId=${id}`, { token: tenant.token })
    const first = download()
    const others = Promise.allSettled(Array.from({ length: 10 }, download))
    await first
    expect(await ending.site.stop()).toBe(0)
    for (const outcome of await others)
      if (outcome.status === 'fulfilled') {
        expect([200, 503]).toContain(outcome.value.status)
        if (outcome.value.status === 200) expect(outcome.value.text.trimEnd()).toMatch(/%%EOF$/)
      }
  } finally {
    await ending.close()
  }
})
