import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { afterThisTest } from '../../testing/cleanups.ts'
import { limitConnections } from './connections.ts'

const stallMs = 1500
/** More than the buffers of the operating system hold. */
const largeBytes = 16_000_000

async function serve() {
  const server = createServer(({ url }, response) => {
    if (url === '/large') response.end(Buffer.alloc(largeBytes))
    else if (url === '/stream') Readable.from(Array(40).fill(Buffer.alloc(largeBytes / 40))).pipe(response)
    else setTimeout(() => response.end('done'), url === '/late' ? 3 * stallMs : 0)
  })
  limitConnections(server, stallMs)
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
  const open = async (path?: string) => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket.on('error', () => {}).pause())
    await once(socket, 'connect')
    if (path !== undefined) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket
  }
  return { url: `http://127.0.0.1:${port}`, open, accepted }
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

test('keeps no connection after its response while more than 400 are open', async () => {
  const { url, open } = await serve()
  const kept = async () => (await fetch(url)).headers.get('connection')
  expect(await kept()).toBe('keep-alive')
  for (let n = 0; n < 401; n++) await open()
  expect(await kept()).toBe('close')
})
