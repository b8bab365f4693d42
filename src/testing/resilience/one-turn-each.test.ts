import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, type Portal } from '../security/portal.ts'
import { smallMachine } from './small-machine.ts'

let portal: Portal
beforeAll(async () => {
  portal = await openPortal()
  await portal.site.restart(smallMachine)
})
afterAll(() => portal.close())

type Asked = { method?: string; path: string; address: string; headers?: string[]; body?: string }

function textOf({ address, body = '', headers = [], method = 'GET', path }: Asked): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    `X-Forwarded-For: ${address}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends all requests at once, each over a connection of its own, and collects the statuses of the responses. */
function send(requests: Asked[]) {
  const statuses: number[] = []
  const done = Promise.all(
    requests.map(
      request =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(portal.port, '127.0.0.1', () => socket.write(textOf(request)))
          socket.on('error', reject)
          socket.once('data', chunk => {
            statuses.push(Number(/^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString('latin1'))?.[1]))
            socket.destroy()
            resolve()
          })
        }),
    ),
  )
  return { statuses, done }
}

/** The statuses of all these requests; a visitor who asks behind them gets the response before the last of them does. */
async function statusesOf(requests: Asked[]): Promise<number[]> {
  // A connection that is open already, as new ones wait for the flood's.
  await portal.call('GET', '/api/health')
  const flood = send(requests)
  // The flood has arrived, and its first request is being answered.
  await new Promise(resolve => setTimeout(resolve, 10))
  const visitor = portal
    .call('GET', '/api/health')
    .then(({ status }) => ({ status, behind: flood.statuses.length }))
  await flood.done
  const { behind, status } = await visitor
  expect(status).toBe(200)
  expect(behind).toBeLessThan(requests.length)
  return flood.statuses
}

const many = (count: number, of: (n: number) => Asked) => Array.from({ length: count }, (_, n) => of(n))

test('hundreds of views of a preview at once neither stop the process nor block it', async () => {
  const { token } = await portal.admin()
  const { url } = await portal.expectOk(
    portal.call('POST', '/api/site/admin/preview-link', { token, body: {} }),
  )
  const statuses = await statusesOf(many(300, () => ({ path: url, address: '203.0.113.7' })))
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect((await portal.call('GET', url)).status).toBe(200)
})

test('contact forms from hundreds of networks at once do not block the process', async () => {
  const headers = ['Content-Type: application/x-www-form-urlencoded']
  const form = (n: number) => ({
    method: 'POST',
    path: '/contact',
    address: `2001:db8:0:${n.toString(16)}::1`,
    headers,
    body: 'firstName=Maya',
  })
  const statuses = await statusesOf(many(300, form))
  expect(new Set(statuses)).toEqual(new Set([400]))
})

test('many long previews of a wording at once do not block the process', async () => {
  const { token } = await portal.admin()
  const path = '/api/site/admin/wordings/lease'
  const { wording } = await portal.expectOk(portal.call('GET', path, { token }))
  const text = `${wording.body.text}\n${'{{charges}}\n'.repeat(2300)}`
  const asked = {
    method: 'POST',
    path: `${path}/preview`,
    address: '203.0.113.8',
    headers: [`Authorization: Bearer ${token}`, 'Content-Type: application/json'],
    body: JSON.stringify({ body: { text } }),
  }
  const statuses = await statusesOf(many(60, () => asked))
  expect(new Set(statuses)).toEqual(new Set([200]))
})
