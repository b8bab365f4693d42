import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { openPortal } from './portal.ts'

test('cuts off a slow body after 15 seconds', async () => {
  const portal = await openPortal({ proxied: false })
  try {
    const head =
      'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{'
    const socket = connect(portal.port, 'localhost', () => socket.write(head))
    socket.resume()
    socket.on('error', () => {})
    const started = performance.now()
    const drip = setInterval(() => socket.writable && socket.write(' '), 1000)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(drip)
    const seconds = (performance.now() - started) / 1000
    expect(seconds).toBeGreaterThan(12)
    expect(seconds).toBeLessThan(30)
  } finally {
    await portal.close()
  }
})

test('limits connections of one address, and those beyond the limit do not block the others', async () => {
  const portal = await openPortal({ proxied: false })
  try {
    const sockets = Array.from({ length: 600 }, () => connect(portal.port, 'localhost').on('error', () => {}))
    await new Promise(resolve => setTimeout(resolve, 5000))
    const open = sockets.filter(socket => socket.readyState === 'open')
    expect(open.length).toBeLessThanOrEqual(100)
    expect(open.length).toBeGreaterThan(90)
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => setTimeout(resolve, 1000))
    expect((await portal.call('GET', '/api/health')).status).toBe(200)
  } finally {
    await portal.close()
  }
})
