import { once } from 'node:events'
import { request as ask } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { AppError } from '../../domain/common/errors.ts'
import { afterThisTest } from '../../testing/cleanups.ts'
import { testFolder } from '../../testing/test-folder.ts'
import type { Context } from '../kernel/context.ts'
import { limitUnsent } from './unsent.ts'

const mb = 1024 * 1024

/** A server of large answers behind a socket, whose buffers are small. Who asks is said by the headers. */
async function serve() {
  const app = Fastify({ trustProxy: () => true })
  const actorOf = ({ headers: { role = 'guest', person } }: FastifyRequest) =>
    ({ role, ...(person && { userId: person }) }) as Context['actor']
  limitUnsent(app, async request => ({ actor: actorOf(request) }) as Context)
  app.setErrorHandler((error, _request, reply) =>
    reply.status(error instanceof AppError && error.code === 'unavailable' ? 503 : 500).send({}),
  )
  const sendLarge = (reply: FastifyReply) =>
    reply.headers({ ETag: '"x"', 'Content-Encoding': 'x', 'Cache-Control': 'public' }).send(Buffer.alloc(mb))
  app.all('/large', (_request, reply) => sendLarge(reply))
  app.get('/late', async (_request, reply) => {
    await sleep(100)
    return sendLarge(reply)
  })
  app.get('/small', async () => 'x'.repeat(20_000))
  app.get('/stream', (_request, reply) => reply.send(Readable.from([Buffer.alloc(mb)])))
  const path = join(testFolder(), 'socket')
  await app.listen({ path })
  const sockets: Socket[] = []
  const drop = () => {
    for (const socket of sockets.splice(0)) socket.destroy()
  }
  afterThisTest(async () => {
    drop()
    await app.close()
  })
  /** Sends a request and does not read the response. */
  const leaveUnread = async (url: string, address: string, headers = '') => {
    const socket = connect(path).pause()
    sockets.push(socket.on('error', () => {}))
    socket.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n${headers}\r\n`)
    if (url === '/large') await once(socket, 'readable')
  }
  const read = async (url: string, address: string, headers = {}, method = 'GET') => {
    const request = ask({
      socketPath: path,
      path: url,
      method,
      headers: { 'x-forwarded-for': address, ...headers },
    })
    const [response] = await once(request.end(), 'response')
    let bytes = 0
    for await (const chunk of response) bytes += chunk.length
    return { status: response.statusCode, headers: response.headers, bytes }
  }
  const statusOf = async (...request: Parameters<typeof read>) => (await read(...request)).status
  return { app, drop, leaveUnread, read, statusOf }
}

test('beyond 8 MB of unread answers an address gets 503 for large ones; small ones and other addresses do not wait', async () => {
  const { drop, leaveUnread, read, statusOf } = await serve()
  for (let n = 0; n < 8; n++) await leaveUnread('/large', '203.0.113.7')
  const { bytes, headers, status } = await read('/large', '203.0.113.7')
  expect({ bytes, status }).toEqual({ bytes: 2, status: 503 })
  for (const name of ['etag', 'content-encoding', 'cache-control']) expect(headers[name]).toBeUndefined()
  expect(await statusOf('/small', '203.0.113.7')).toBe(200)
  expect(await statusOf('/large', '203.0.113.7', {}, 'HEAD')).toBe(200)
  expect(await statusOf('/large', '203.0.113.7', {}, 'POST')).toBe(200)
  expect((await read('/stream', '203.0.113.7')).bytes).toBe(mb)
  for (let n = 0; n < 4; n++) await leaveUnread('/large', '203.0.113.8')
  expect(await statusOf('/large', '203.0.113.9')).toBe(503)
  expect((await read('/large', '198.51.100.7')).bytes).toBe(mb)
  drop()
  await expect.poll(() => statusOf('/large', '203.0.113.7')).toBe(200)
})

test('visitors, tenants and administrators have 16, 32 and 16 MB, each person 8 of them', async () => {
  const { leaveUnread, statusOf } = await serve()
  for (let n = 0; n < 16; n++) await leaveUnread('/large', `10.0.${n}.1`)
  expect(await statusOf('/large', '203.0.113.7')).toBe(503)
  for (const [role, max] of [
    ['tenant', 32],
    ['admin', 16],
  ] as const) {
    const as = (n: number) => `${role} ${n}`
    const from = (n: number) => `10.0.${n}.1`
    for (let n = 0; n < 8; n++) await leaveUnread('/large', from(n), `role: ${role}\r\nperson: ${as(0)}\r\n`)
    expect(await statusOf('/large', from(8), { role, person: as(0) })).toBe(503)
    for (let n = 8; n < max; n++) {
      expect(await statusOf('/large', from(n), { role, person: as(n) })).toBe(200)
      await leaveUnread('/large', from(n), `role: ${role}\r\nperson: ${as(n)}\r\n`)
    }
    expect(await statusOf('/large', from(max), { role, person: as(max) })).toBe(503)
  }
})

test('responses that were read, aborted or never started do not count', async () => {
  const { drop, leaveUnread, statusOf } = await serve()
  const address = '203.0.113.7'
  for (const waitMs of [20, 150, 20, 150]) {
    for (let n = 0; n < 3; n++)
      for (const url of ['/late', '/stream', '/large']) await leaveUnread(url, address)
    await sleep(waitMs)
    drop()
    await sleep(200)
  }
  for (let n = 0; n < 8; n++) {
    expect(await statusOf('/large', address)).toBe(200)
    await leaveUnread('/large', address)
  }
  expect(await statusOf('/large', address)).toBe(503)
})
