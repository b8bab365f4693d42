import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal } from './portal.ts'

/** The memory settings of deploy/. */
const env = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=2', MALLOC_ARENA_MAX: '2' }
/** `MemoryMax` in deploy/condo.service, less what the site needs for its work. */
const maxRssMb = 400
const mb = 1024 * 1024

let portal: Portal
const sockets: Socket[] = []
beforeAll(async () => {
  portal = await openPortal({ env })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  expect(portal.site.hasEnded(), portal.site.output().slice(-2000)).toBe(false)
})
afterAll(() => portal.close())

/** Sends the head of a request and resolves with what comes back first. */
function begin(path: string, headers: string[]) {
  const socket = connect(portal.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write([`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n'))
  const response = once(socket, 'data').then(
    ([first]) => String(first),
    () => '',
  )
  return { socket, response }
}
const json = 'Content-Type: application/json'
const rssMb = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${portal.site.pid()}/status`, 'utf8'))?.[1]) / 1024
const isHealthy = async () => expect((await portal.call('GET', '/api/health')).status).toBe(200)

/** Sends a body in chunks of one byte until the server has had enough. */
async function sendBytewise(socket: Socket, bytes: number) {
  const block = '1\r\n \r\n'.repeat(10_000)
  for (let sent = 0; sent < bytes && socket.writable; sent += 10_000)
    if (!socket.write(block))
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
}

test('a body in chunks of one byte does not exhaust the memory, with or without a session', async () => {
  const { token } = await portal.tenant()
  for (const [path, who] of [
    ['/api/auth/login', ''],
    ['/api/lease/sign/x', ''],
    ['/api/lease/sign/x', token],
    ['/api/payment/webhook', ''],
  ] as const) {
    const { response, socket } = begin(path, [
      json,
      'Transfer-Encoding: chunked',
      `Authorization: Bearer ${who}`,
    ])
    const [first] = await Promise.all([response, sendBytewise(socket, 3 * mb)])
    expect(first).toMatch(/^$|^HTTP\/1.1 (401|413)/)
    await isHealthy()
  }
})

test('unread bodies in chunks of one byte and pipelined requests do not exhaust the memory', async () => {
  const request = (headers: string) => `GET /api/health HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`
  const block = [
    request('Transfer-Encoding: chunked\r\n') + '1\r\n \r\n'.repeat(68_000),
    request('').repeat(5000),
    request('') + 'POST /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(5000),
  ]
  for (let n = 0; n < 90; n++) {
    const socket = connect(portal.port, '127.0.0.1').pause()
    sockets.push(socket.on('error', () => {}))
    socket.write(block[n % block.length] ?? '')
  }
  await sleep(1000)
  await isHealthy()
  for (const socket of sockets.splice(0)) socket.destroy()
  for (let n = 0; n < 95; n++) {
    const socket = connect(portal.port, '127.0.0.1').resume()
    sockets.push(socket.on('error', () => {}))
    socket.write('GET / HTTP/1.1\r\nHost:l\r\n\r\n'.repeat(2500))
  }
  await sleep(3000)
  for (const socket of sockets.splice(0)) socket.destroy()
  await isHealthy()
})

test('uploads in chunks of one byte are cut off, and leave room for others', async () => {
  const upload = async (path: string, field: string, token: string) => {
    const { response, socket } = begin(path, [
      'Content-Type: multipart/form-data; boundary=b',
      'Transfer-Encoding: chunked',
      `Authorization: Bearer ${token}`,
    ])
    const head = `--b\r\nContent-Disposition: form-data; name="${field}"; filename="a.pdf"\r\n\r\n`
    socket.write(`${head.length.toString(16)}\r\n${head}\r\n`)
    const sending = sendBytewise(socket, 2 * mb)
    expect(await response).toMatch(/^$|^HTTP\/1.1 400/)
    await sending
  }
  const [{ token: admin }, { token: tenant }] = [await portal.admin(), await portal.tenant()]
  await Promise.all([
    ...[1, 2].map(() => upload('/api/picture/admin', 'picture', admin)),
    ...[1, 2].map(() => upload('/api/application/admin/upload-lease', 'signedLease', admin)),
  ])
  await isHealthy()
  const form = new FormData()
  form.set('signedLease', new File([Buffer.alloc(mb)], 'a.pdf'))
  const next = await portal.call('POST', '/api/lease/upload-signed', { token: tenant, raw: form })
  expect(next.status).toBe(404)
})

test('a calendar in chunks of one byte does not exhaust the memory of the site that reads it', async () => {
  const host = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      void sendBytewise(socket, 2 * mb)
    })
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const { port } = host.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const reader = await openPortal({
    proxied: false,
    env: { ...env, NODE_ENV: '', FETCH_ALLOW: origin, RATE_LIMITS: 'off' },
  })
  try {
    const { token } = await reader.admin()
    const body = { name: 'Airbnb', url: `${origin}/calendar.ics`, provider: 'airbnb', mode: 'all' }
    const read = () => reader.call('POST', '/api/calendar/admin/feeds', { token, body })
    for (const { status } of await Promise.all([read(), read(), read()])) expect(status).toBeLessThan(500)
    expect(reader.site.hasEnded(), reader.site.output().slice(-2000)).toBe(false)
  } finally {
    await reader.close()
    host.close()
  }
})

test('bodies that never come, from a dozen networks, keep out nobody: no visitor, no tenant, nor the card provider', async () => {
  const { token } = await portal.tenant()
  const hold = (network: number) => {
    const from = `X-Forwarded-For: 10.0.${network}.7`
    const { socket } = begin('/api/auth/login', [json, 'Content-Length: 90000', from])
    socket.write('{')
  }
  const login = () =>
    portal.call('POST', '/api/auth/login', {
      body: { email: 'a@guest.example', password: 'wrong wrong wrong' },
    })
  for (let n = 0; n < 270; n++) hold(n % 3)
  await sleep(500)
  expect((await login()).status).toBe(401)
  for (let n = 0; n < 200; n++) hold(3 + (n % 10))
  await sleep(500)
  expect((await login()).status).toBe(401)
  const name = { firstName: 'Maya', lastName: 'Rivers' }
  expect((await portal.call('PUT', '/api/auth/profile', { token, body: name })).status).toBe(200)
  expect((await portal.call('POST', '/api/payment/webhook', { body: {} })).status).toBe(400)
  await sleep(3000)
  expect((await login()).status).toBe(401)
})

test('stalled large bodies and stalled requests with many headers do not exhaust the memory', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => portal.tenant()))
  for (let at = 0; at < 250; at++) {
    const who = at % 2 ? [`Authorization: Bearer ${people[at % people.length]?.token}`] : []
    begin('/api/lease/sign/x', [json, 'Content-Length: 2000000', ...who]).socket.write(' '.repeat(1_999_990))
    if (at % 25 === 0) await sleep(100)
  }
  await isHealthy()
  expect(rssMb()).toBeLessThan(maxRssMb)
  for (const socket of sockets.splice(0)) socket.destroy()
  for (let at = 0; at < 600; at++) {
    const many = Array.from({ length: 990 }, (_, n) => `a${n}-${at}:1`)
    begin('/api/auth/login', [json, 'Content-Length: 100', ...many]).socket.write('{')
    if (at % 50 === 0) await sleep(100)
  }
  for (const socket of sockets.splice(0)) socket.destroy()
  await sleep(500)
  await isHealthy()
  expect(rssMb()).toBeLessThan(maxRssMb)
})

test('refuses too many headers, and headers that are too large', async () => {
  const many = Array.from({ length: 100 }, (_, n) => `X-${n}: 1`)
  expect(await begin('/api/auth/login', [json, 'Content-Length: 100', ...many]).response).toMatch(
    /^HTTP\/1.1 431/,
  )
  expect(await begin('/api/auth/login', [`X-Large: ${'x'.repeat(9000)}`]).response).toMatch(/^HTTP\/1.1 431/)
})

test('large bodies beyond the memory for all of them get 503 with Retry-After, and small ones still arrive', async () => {
  const people = await Promise.all(Array.from({ length: 8 }, () => portal.tenant()))
  const responses = Array.from({ length: 48 }, (_, n) => {
    const own = [`Authorization: Bearer ${people[n % 8]?.token}`, `X-Forwarded-For: 10.0.${n % 8}.7`]
    const headers = [json, 'Content-Length: 2000000', ...own]
    const { response, socket } = begin('/api/lease/sign/x', headers)
    socket.write(' '.repeat(1_999_990))
    return Promise.race([response, sleep(5000, '')])
  })
  const refused = (await Promise.all(responses)).filter(first => first !== '')
  expect(refused.length).toBeGreaterThan(10)
  for (const first of refused) {
    expect(first).toMatch(/^HTTP\/1.1 503/)
    expect(first).toMatch(/retry-after: \d+/i)
  }
  await portal.tenant()
})
