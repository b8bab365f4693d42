import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { afterThisTest } from '../../testing/cleanups.ts'
import { productionEnv } from '../../testing/production-env.ts'
import { testApp } from '../../testing/test-app.ts'
import { testFolder } from '../../testing/test-folder.ts'
import { limitConnections } from './connections.ts'

const stallMs = 800
/** More than the buffers of the operating system hold. */
const largeBytes = 16_000_000

async function serve(options: Parameters<typeof limitConnections>[1] = {}) {
  let parsed = 0
  const begun: (string | undefined)[] = []
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const { url } = request
    begun.push(url)
    if (url === '/read') request.resume().once('end', () => response.end('done'))
    else if (url === '/large') response.end(Buffer.alloc(largeBytes))
    else if (url === '/piped-late') setTimeout(() => Readable.from(['done']).pipe(response), 200)
    // Waits as if its client read nothing.
    else if (url === '/unread') new Readable({ read: () => {} }).pipe(response).flushHeaders()
    else if (url === '/stream') Readable.from(Array(40).fill(Buffer.alloc(largeBytes / 40))).pipe(response)
    else setTimeout(() => response.end('done'), url === '/late' ? 3 * stallMs : url === '/soon' ? 500 : 0)
  })
  limitConnections(server, { maxStallMs: stallMs, maxRestMs: 500, ...options })
  server.keepAliveTimeout = 0
  const accepted: Socket[] = []
  server.on('connection', socket => accepted.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets: Socket[] = []
  afterThisTest(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const open = async (path?: string, localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    sockets.push(socket.on('error', () => {}).pause())
    await once(socket, 'connect')
    if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket
  }
  server.prependListener('request', () => parsed++)
  return { url: `http://127.0.0.1:${port}`, open, accepted, begun, parsed: () => parsed }
}

test.each(['/large', '/stream'])(
  'closes a connection whose client stops reading %s, but not that of a slow one, or while the work takes long',
  async path => {
    const { url, open, accepted } = await serve()
    await open(path)
    const late = fetch(`${url}/late`)
    const slow = await open(path)
    const startedAt = performance.now()
    let bytes = 0
    while (bytes < largeBytes) {
      bytes += slow.read()?.length ?? 0
      expect(slow.readableEnded).toBe(false)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(await (await late).text()).toBe('done')
    expect(performance.now() - startedAt).toBeGreaterThan(2 * stallMs)
    await vi.waitFor(() => expect(accepted[0]?.destroyed).toBe(true), { timeout: 4 * stallMs })
  },
)

test.each(['/large', '/stream'])(
  'closes the connection of a client that reads %s too slowly in all',
  async path => {
    const { open, accepted } = await serve({ minBytesPerMs: 10_000, maxDelayMs: 500 })
    const [quick, slow] = [await open(path), await open(path)]
    const startedAt = performance.now()
    quick.resume()
    const drip = setInterval(() => slow.read(1024), 50)
    afterThisTest(() => clearInterval(drip))
    await vi.waitFor(() => expect(accepted[1]?.destroyed).toBe(true), { timeout: 5000 })
    expect(performance.now() - startedAt).toBeGreaterThan(450)
    expect(quick.bytesRead).toBeGreaterThan(largeBytes)
  },
)

test('begins with a request of a connection only once the one before is answered', async () => {
  const { open, begun } = await serve()
  const [patient, gone] = [await open(), await open()]
  const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  patient.write(ask('/soon') + ask('/1') + ask('/2'))
  gone.write(ask('/soon') + ask('/3'))
  await vi.waitFor(() => expect(begun).toEqual(['/soon', '/soon']))
  gone.destroy()
  let text = ''
  patient.resume().on('data', chunk => {
    text += chunk
  })
  await vi.waitFor(() => expect(text.match(/done/g)).toHaveLength(3), { timeout: 5000 })
  expect(begun).toEqual(['/soon', '/soon', '/1', '/2'])
})

test('keeps no connection after its response while more than 400 are open', async () => {
  const { url, open } = await serve({ isProxied: true })
  const kept = async () => (await fetch(url)).headers.get('connection')
  expect(await kept()).toBe('keep-alive')
  for (let n = 0; n < 401; n++) await open()
  expect(await kept()).toBe('close')
})

test('accepts 100 connections from a network address, and any number from a proxy', async () => {
  const { open, url } = await serve()
  for (let n = 0; n < 100; n++) await open()
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  const proxied = await serve({ isProxied: true })
  for (let n = 0; n < 501; n++) await proxied.open()
  expect((await fetch(proxied.url)).status).toBe(200)
})

test('accepts 120 connections from the larger network of an address; others are not affected', async () => {
  const { accepted, open } = await serve()
  for (let n = 0; n < 130; n++) await open(undefined, `127.0.0.${2 + (n % 3)}`)
  await vi.waitFor(() => expect(accepted).toHaveLength(130))
  expect(accepted.filter(({ destroyed }) => !destroyed)).toHaveLength(120)
  await open(undefined, '127.0.1.1')
  await vi.waitFor(() => expect(accepted).toHaveLength(131))
  expect(accepted.at(-1)?.destroyed).toBe(false)
})

test('of 500 connections those of the network with the most, whose request has not come, give way to another network', async () => {
  const { accepted, begun, open } = await serve()
  const late = await open('/late', '127.0.50.1')
  await vi.waitFor(() => expect(begun).toEqual(['/late']))
  for (let n = 0; n < 499; n++) await open(undefined, `127.0.${50 + Math.floor((n + 1) / 100)}.1`)
  await vi.waitFor(() => expect(accepted).toHaveLength(500))
  const done = once(late.resume(), 'data')
  const newcomers = [
    await open('/soon', '127.0.60.1'),
    await open('/soon', '127.0.60.1'),
    await open('/soon', '127.0.60.1'),
  ]
  await Promise.all(newcomers.map(each => once(each.resume(), 'data')))
  expect(accepted.slice(0, 500).flatMap(({ destroyed }, n) => (destroyed ? n : []))).toEqual([1, 100, 200])
  expect(String(await done)).toContain('done')
}, 20_000)

test('unread responses are dropped for an address with fewer connections, and once stuck for any address', async () => {
  const { accepted, begun, open } = await serve({ stuckMs: 1500, maxStallMs: 60_000 })
  const isAnswered = async (localAddress: string) => {
    const socket = await open('/', localAddress)
    const [chunk] = await Promise.race([once(socket, 'data'), once(socket.resume(), 'close')])
    return chunk !== undefined && chunk !== false
  }
  await open('/late', '127.0.0.2')
  for (let n = 0; n < 99; n++) await open('/unread', '127.0.0.2')
  await vi.waitFor(() => expect(begun).toHaveLength(100))
  expect(await isAnswered('127.0.0.2')).toBe(false)
  for (let n = 0; n < 20; n++) await open('/unread', '127.0.0.3')
  await vi.waitFor(() => expect(begun).toHaveLength(120))
  expect(await isAnswered('127.0.0.4')).toBe(true)
  await open('/unread', '127.0.0.2')
  expect(await isAnswered('127.0.0.2')).toBe(false)
  await expect.poll(() => isAnswered('127.0.0.2'), { timeout: 5000 }).toBe(true)
  expect(accepted.slice(0, 3).map(({ destroyed }) => destroyed)).toEqual([false, true, true])
})

test('a request that is canceled before its response is piped leaves no timer behind', async () => {
  const [set, clear] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
  afterThisTest(() => {
    set.mockRestore()
    clear.mockRestore()
  })
  const { open, begun } = await serve()
  for (let requests = 0; requests < 3; requests++) {
    const socket = await open('/piped-late')
    await expect.poll(() => begun.length).toBe(requests + 1)
    socket.destroy()
  }
  await new Promise(resolve => setTimeout(resolve, 400))
  const ended = new Set(clear.mock.calls.map(([timer]) => timer))
  expect(set.mock.results.filter(({ value }) => !ended.has(value))).toEqual([])
})

test('behind a proxy, unread responses of one address do not block others, and once stuck do not block that address either', async () => {
  const socketPath = join(testFolder(), 'socket')
  const app = await testApp({ env: { ...productionEnv, SOCKET: socketPath } })
  const folder = join(app.deps.config.uploadsDir, 'media')
  mkdirSync(folder, { recursive: true })
  const path = '/media/0123456789abcdef-400.webp'
  // More than the buffers of a socket hold.
  writeFileSync(join(app.deps.config.uploadsDir, path), Buffer.alloc(2_000_000))
  await (await app.fastify()).listen({ path: socketPath })
  const answer = async (address: string, path: string) => {
    const headers = { host: 'localhost', 'x-forwarded-for': address }
    const asked = request({ socketPath, path, headers, agent: false }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    afterThisTest(() => void response.on('error', () => {}).destroy())
    return response
  }
  const health = async (address: string) => (await answer(address, '/api/health')).statusCode
  for (let n = 0; n < 100; n++) await answer('203.0.113.7', path)
  const refused = await answer('203.0.113.7', '/api/health')
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
  expect(await health('198.51.100.7')).toBe(200)
  for (let n = 0; n < 20; n++) await answer('203.0.113.8', path)
  expect(await health('203.0.113.9')).toBe(200)
  await answer('203.0.113.7', path)
  expect(await health('203.0.113.7')).toBe(503)
  await expect.poll(() => health('203.0.113.7'), { timeout: 8000, interval: 500 }).toBe(200)
}, 20_000)

test.each(['', 'Expect: x\r\n'])(
  'closes a connection that sends a fifth request before the first is answered %j',
  async header => {
    const { accepted, open } = await serve()
    const ask = `GET /soon HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`
    const [patient, hasty] = [await open(), await open()]
    patient.write(ask.repeat(4))
    hasty.write(ask.repeat(5))
    await vi.waitFor(() => expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, true]))
    let text = ''
    await vi.waitFor(
      () => {
        text += patient.read() ?? ''
        expect(text.match(/done/g)).toHaveLength(4)
      },
      { timeout: 10_000 },
    )
  },
)

test.each([
  [
    'in tiny chunks',
    'Transfer-Encoding: chunked',
    '40\r\n'.concat('a'.repeat(64), '\r\n').repeat(280),
    60_000,
  ],
  ['that does not end', 'Content-Length: 5', 'abcd', 500],
  ['that goes on after the response', 'Content-Length: 9000000', 'a'.repeat(8_000_000), 60_000],
])('closes the connection of an unread body %s', async (_, header, body, maxRestMs) => {
  const { accepted, open } = await serve({ maxRestMs })
  const socket = await open()
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\n${header}\r\n\r\n${body}`)
  await vi.waitFor(() => expect(accepted[0]?.destroyed).toBe(true), { timeout: 2000 })
})

test('keeps the connection open for large chunks, and for a few small ones', async () => {
  const { open } = await serve()
  const socket = await open()
  const chunks = '400\r\n'.concat('a'.repeat(1024), '\r\n').repeat(500) + '1\r\na\r\n'.repeat(190)
  socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  await vi.waitFor(() => expect(String(socket.read())).toContain('done'))
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await vi.waitFor(() => expect(String(socket.read())).toContain('done'))
})

test('reads a body in packets of 536 bytes', async () => {
  const { open } = await serve()
  const socket = await open()
  const chunks = '218\r\n'.concat('a'.repeat(536), '\r\n').repeat(480)
  const head = 'POST /read HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked'
  socket.write(`${head}\r\n\r\n${chunks}0\r\n\r\n`)
  await vi.waitFor(() => expect(String(socket.read())).toContain('done'))
})

test.each(['', 'Host:l\r\n'])('parses nothing after it has closed a connection %j', async headers => {
  const { accepted, open, parsed } = await serve()
  const socket = await open()
  socket.write(`GET /late HTTP/1.1\r\n${headers}\r\n`.repeat(2000))
  await vi.waitFor(() => expect(accepted[0]?.destroyed).toBe(true), { timeout: 5000 })
  expect(parsed()).toBeLessThanOrEqual(5)
})
